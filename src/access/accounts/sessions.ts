import { instantAt, unixMs, type Instant } from '../../platform/time/instant.ts';
import { changeDocument, readDocument, removeDocument } from '../../stores/documents/change-document.ts';
import type { CollectionSpec, Documents, Stored } from '../../stores/documents/port.ts';
import type { KeyDigest } from '../keys/key-format.ts';
import { createTokens, newToken, type TokenKind } from './tokens.ts';

/** Who is signed in: one document for each session, under the digest of its token. */
export const SESSIONS: CollectionSpec = { name: 'sessions', indexes: [['expires_at'], ['account']] };

export interface Session extends SessionBody {
  /** For lists and logs; opens nothing. */
  readonly name: string;
}

export interface NewSession extends Session {
  /** For the browser alone. */
  readonly token: string;
}

interface SessionBody {
  readonly account: string;
  /** Stands in every form, and comes back with it. */
  readonly csrf: string;
  readonly created_at: Instant;
  readonly expires_at: Instant;
  /** The newest forms that were sent. */
  readonly forms: readonly string[];
}

export const SESSION_MS = 12 * 3_600_000;
/** Forms that are remembered of a session: more than anybody has open. */
const FORMS_KEPT = 50;
const KIND: TokenKind = { collection: SESSIONS.name, purpose: 'session', prefix: '', keptMs: 0 };

/**
 * Sessions: open --12 hours by the store's clock, or signed out--> ended. A session is never extended, and nobody signs in to
 * one that exists: signing in opens another one, under a token that was never seen before.
 */
export function createSessions(documents: Documents, digest: KeyDigest) {
  const tokens = createTokens(documents, digest, KIND);

  return {
    /** Opens a session and ends the one of `before`, a token that the browser had. */
    async open(account: string, before: string | null): Promise<NewSession> {
      const now = await documents.now();
      const body: SessionBody = {
        account,
        csrf: newToken(),
        created_at: instantAt(now),
        expires_at: instantAt(now + SESSION_MS),
        forms: [],
      };
      const { token, id } = await tokens.issue(body, now);
      if (before !== null) await this.end(before);
      return { ...sessionOf({ id, body }), token };
    },

    /** The session of a token; null where there is none, or none any more. */
    async find(token: string): Promise<Session | null> {
      const id = tokens.idOf(token);
      const stored = id === null ? null : await readDocument<SessionBody>(documents, SESSIONS.name, id);
      if (!stored || unixMs(stored.body.expires_at) <= (await documents.now())) return null;
      return sessionOf(stored);
    },

    /** Ends it. Idempotent. */
    async end(token: string): Promise<void> {
      const id = tokens.idOf(token);
      if (id !== null) await removeDocument(documents, SESSIONS.name, id);
    },

    /** How many are open, by account. Reads them all. */
    async count(): Promise<ReadonlyMap<string, number>> {
      const now = await documents.now();
      const open = new Map<string, number>();
      for await (const batch of documents.scan<SessionBody>(SESSIONS.name))
        for (const { body } of batch)
          if (unixMs(body.expires_at) > now) open.set(body.account, (open.get(body.account) ?? 0) + 1);
      return open;
    },

    /** Ends all of an account, and returns how many there were. */
    async endAllOf(account: string): Promise<number> {
      let ended = 0;
      for (;;) {
        const found = await documents.find(SESSIONS.name, { where: { account }, order: [], limit: 100 });
        if (found.documents.length === 0) return ended;
        const removals = found.documents.map(({ id, version }) => ({ id, read: version }));
        const outcomes = await documents.remove(SESSIONS.name, removals);
        ended += outcomes.filter((outcome) => outcome === 'done').length;
      }
    },

    /**
     * Whether this is the first time that a form of this session is sent. A form that makes something has a name of its own, so
     * that sending it again, by reloading, makes nothing.
     */
    async isFirst(token: string, form: string): Promise<boolean> {
      const id = tokens.idOf(token);
      if (id === null) return false;
      const noted = await changeDocument<SessionBody>(documents, SESSIONS.name, id, (stored) => {
        if (!stored || stored.body.forms.includes(form)) return null;
        return { ...stored.body, forms: [...stored.body.forms, form].slice(-FORMS_KEPT) };
      });
      return noted !== null;
    },
  };
}

function sessionOf({ id, body }: Pick<Stored<SessionBody>, 'id' | 'body'>): Session {
  return { ...body, name: id.slice(0, 8) };
}
