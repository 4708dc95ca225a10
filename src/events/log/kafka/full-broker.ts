import type { Broker } from 'kafkajs';

/** What of a broker the types leave out. */
export interface FullBroker extends Broker {
  joinGroup(request: JoinRequest): Promise<JoinedGroup>;
  syncGroup(request: SyncRequest): Promise<{ readonly memberAssignment: Buffer }>;
  heartbeat(request: MemberOf & { readonly groupGenerationId: number }): Promise<unknown>;
  leaveGroup(request: MemberOf): Promise<unknown>;
  listOffsets(request: ListOffsetsRequest): Promise<{ readonly responses: readonly ListedOffsets[] }>;
  lookupRequest(apiKey: number, definition: unknown): (request: unknown) => Exchange;
}

interface MemberOf {
  readonly groupId: string;
  readonly memberId: string;
}

interface JoinRequest extends MemberOf {
  readonly sessionTimeout: number;
  readonly rebalanceTimeout: number;
  readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[];
}

export interface JoinedGroup {
  readonly generationId: number;
  readonly leaderId: string;
  readonly memberId: string;
  /** All members; only the leader is told. */
  readonly members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[];
}

interface SyncRequest extends MemberOf {
  readonly generationId: number;
  readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[];
}

interface ListOffsetsRequest {
  readonly isolationLevel: number;
  readonly topics: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly timestamp: number }[];
  }[];
}

interface ListedOffsets {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
}

/** A request in the version that both sides know, and how its answer is read. */
export interface Exchange {
  readonly request: { readonly apiVersion: number };
  readonly response: { decode(payload: Buffer): Promise<unknown>; parse(decoded: unknown): Promise<unknown> };
  readonly [other: string]: unknown;
}
