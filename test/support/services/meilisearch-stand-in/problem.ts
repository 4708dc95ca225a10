/** An error as Meilisearch tells it: https://www.meilisearch.com/docs/reference/errors/overview */
export interface Told {
  readonly message: string;
  readonly code: string;
  readonly type: 'invalid_request' | 'internal' | 'auth' | 'system';
  readonly link: string;
}

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly told: Told;

  constructor(status: number, code: string, message: string, type: Told['type'] = 'invalid_request') {
    super(message);
    this.status = status;
    this.told = { message, code, type, link: '' };
  }
}

export function indexNotFound(uid: string): Problem {
  return new Problem(404, 'index_not_found', `Index \`${uid}\` not found.`);
}
