import { BSON, type Document } from 'mongodb';

/** https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/: OP_MSG, and OP_QUERY for the first greeting. */
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

/** Puts messages together from the bytes of a connection. Each begins with its length. */
export function messages(received: (message: Buffer) => void): (bytes: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  return (bytes) => {
    parts.push(bytes);
    length += bytes.length;
    const [first = bytes] = parts;
    // A large message is put together once, when all of it is there.
    if (first.length >= 4 && length < first.readInt32LE(0)) return;
    let rest = Buffer.concat(parts);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const message = rest.subarray(0, rest.readInt32LE(0));
      rest = rest.subarray(message.length);
      received(message);
    }
    parts = rest.length === 0 ? [] : [rest];
    length = rest.length;
  };
}

export function commandIn(message: Buffer): Document {
  if (message.readInt32LE(12) === OP_QUERY) {
    const name = message.indexOf(0, 20);
    return BSON.deserialize(message.subarray(name + 9));
  }
  let command: Document = {};
  const sequences: Document = {};
  for (let at = 20; at < message.length;) {
    const isSequence = message[at] === 1;
    const end = at + 1 + message.readInt32LE(at + 1);
    if (!isSequence) {
      command = BSON.deserialize(message.subarray(at + 1, end));
    } else {
      const name = message.indexOf(0, at + 5);
      const documents: Document[] = [];
      for (let from = name + 1; from < end; from += message.readInt32LE(from)) {
        documents.push(BSON.deserialize(message.subarray(from, from + message.readInt32LE(from))));
      }
      sequences[message.toString('utf8', at + 5, name)] = documents;
    }
    at = end;
  }
  return { ...command, ...sequences };
}

export function messageOf(answer: Document, request: Buffer): Buffer {
  const body = Buffer.from(BSON.serialize(answer));
  const isMessage = request.readInt32LE(12) === OP_MSG;
  // Flags and a section of kind 0; or flags, no cursor, from the first, one document.
  const preamble = Buffer.alloc(isMessage ? 5 : 20);
  if (!isMessage) preamble.writeInt32LE(1, 16);
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + preamble.length + body.length, 0);
  header.writeInt32LE(request.readInt32LE(4), 8);
  header.writeInt32LE(isMessage ? OP_MSG : OP_REPLY, 12);
  return Buffer.concat([header, preamble, body]);
}
