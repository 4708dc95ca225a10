import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.backend.memory.MemoryDatabase;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.time.Instant;
import java.util.List;

/**
 * mongo-java-server in memory, with what today's drivers ask of a server: `hello`, and a version that they accept.
 * Its arguments: the port, where 0 takes a free one, and the address if it is not loopback. It says `READY port`.
 */
public class StandIn {
  private static final int WIRE_VERSION = 9;

  public static void main(String[] arguments) throws Exception {
    MemoryBackend backend = new MemoryBackend() {
      @Override
      public MemoryDatabase openOrCreateDatabase(String name) {
        MemoryDatabase database = new Database(name, getCursorRegistry());
        return database;
      }

      @Override
      public Document handleMessage(MongoMessage message) {
        boolean isHello = message.getDocument().keySet().iterator().next().equals("hello");
        return isHello ? hello() : super.handleMessage(message);
      }
    };
    backend.version(new MongoVersion() {
      @Override
      public List<Integer> getVersionArray() {
        return List.of(4, 4, 29, 0);
      }

      @Override
      public int getWireVersion() {
        return WIRE_VERSION;
      }
    });
    MongoServer server = new MongoServer(backend);
    server.bind(arguments.length > 1 ? arguments[1] : "127.0.0.1", Integer.parseInt(arguments[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    System.out.println("READY " + server.getLocalAddress().getPort());
    Thread.currentThread().join();
  }

  private static Document hello() {
    Document answer = new Document("isWritablePrimary", true);
    answer.put("maxBsonObjectSize", 16 * 1024 * 1024);
    answer.put("maxMessageSizeBytes", 48_000_000);
    answer.put("maxWriteBatchSize", 1000);
    answer.put("localTime", Instant.now());
    answer.put("minWireVersion", 0);
    answer.put("maxWireVersion", WIRE_VERSION);
    answer.put("ok", 1.0);
    return answer;
  }

  private static final class Database extends MemoryDatabase {
    Database(String name, CursorRegistry cursors) {
      super(name, cursors);
    }

    @Override
    protected Index<Integer> openOrCreateUniqueIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
      Index<Integer> index = super.openOrCreateUniqueIndex(collection, name, keys, sparse);
      boolean isOfIds = keys.size() == 1 && keys.get(0).getKey().equals("_id");
      return isOfIds ? new IdIndex<>(index, keys, sparse) : index;
    }
  }

  /** Looks `{_id, version}` up by the id; stock, every document is compared. */
  private static final class IdIndex<Position> extends Index<Position> {
    private final Index<Position> index;

    IdIndex(Index<Position> index, List<IndexKey> keys, boolean sparse) {
      super(index.getName(), keys, sparse);
      this.index = index;
    }

    private boolean isNarrowed(Document query) {
      return query.size() > 1 && query.get("_id") instanceof String && index.canHandle(idOf(query));
    }

    private static Document idOf(Document query) {
      return new Document("_id", query.get("_id"));
    }

    @Override
    public boolean canHandle(Document query) {
      return index.canHandle(query) || isNarrowed(query);
    }

    @Override
    public Iterable<Position> getPositions(Document query) {
      return index.getPositions(isNarrowed(query) ? idOf(query) : query);
    }

    @Override
    public Position getPosition(Document document) {
      return index.getPosition(document);
    }

    @Override
    public void checkAdd(Document document, MongoCollection<Position> collection) {
      index.checkAdd(document, collection);
    }

    @Override
    public void add(Document document, Position position, MongoCollection<Position> collection) {
      index.add(document, position, collection);
    }

    @Override
    public Position remove(Document document) {
      return index.remove(document);
    }

    @Override
    public long getCount() {
      return index.getCount();
    }

    @Override
    public long getDataSize() {
      return index.getDataSize();
    }

    @Override
    public void checkUpdate(Document old, Document fresh, MongoCollection<Position> collection) {
      index.checkUpdate(old, fresh, collection);
    }

    @Override
    public void updateInPlace(Document old, Document fresh, Position position, MongoCollection<Position> collection) {
      index.updateInPlace(old, fresh, position, collection);
    }

    @Override
    public boolean isUnique() {
      return index.isUnique();
    }

    @Override
    public void drop() {
      index.drop();
    }
  }
}
