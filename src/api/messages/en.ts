/** What people read, in English. `{places}` are filled in. */
export const en = {
  problems: {
    missing_parameter: 'Parameter {name} is missing. It must be {accepts}.',
    empty_parameter: 'Parameter {name} is empty. Leave it out, or send {accepts}.',
    repeated_parameter: 'Parameter {name} was sent more than once. Send it once: {accepts}.',
    unknown_parameter: 'There is no parameter {name} here. Did you mean {nearest}? It must be {accepts}.',
    unlike_any_parameter: 'There is no parameter {name} here, only {names}.',
    wrong_parameter: 'Parameter {name} must be {accepts}.',
    broken_encoding:
      'The address has a broken percent-encoding. Encode text as UTF-8 (é is %C3%A9), and a percent sign as %25.',
    key_beside_header:
      'The address holds a key, where logs and histories keep it. Send the key in the x-api-key header only, and revoke the one in the address.',
    broken_request: 'This is not a valid HTTP request. Check the request line, the headers and the framing.',
    unencoded_address:
      "The address holds characters that must be percent-encoded. Encode the text as UTF-8, or let curl do it: curl -G --data-urlencode 'q=бот' ADDRESS.",
    wrong_host:
      'An HTTP/1.1 request needs exactly one Host header, with nothing but a host and a port in it.',
    unknown_expectation: 'The Expect header asks for something unknown. Leave it out.',
    unknown_upgrade: 'The connection cannot be changed to another protocol. Leave the Upgrade header out.',
    no_key: 'An API key is needed. Send it in the x-api-key header.',
    key_in_query:
      'A key in the address does not count: logs and histories keep it. Send a key in the x-api-key header, and revoke the one in the address.',
    bad_key:
      'This API key is not active. Check that it was copied whole and has neither been revoked nor replaced.',
    unknown_listing: 'There is no published entry with this slug. It may have been unpublished or misspelt.',
    unknown_route: 'There is nothing at this address. See {docs} for what there is.',
    wrong_method: 'The API is read-only: send GET or HEAD.',
    slow_request: 'The request did not arrive in time. Send it whole within {seconds} seconds.',
    unwanted_body: 'Send the request without a body; parameters belong in the address.',
    long_address: 'The address is too long. Address and headers together may take {bytes} bytes.',
    long_headers:
      'The headers are too large. Address and headers together may take {bytes} bytes and {fields} fields.',
    used_up:
      'All {limit} requests of this day are used up. The next day begins at 00:00 UTC, in {seconds} s.',
    fault: 'Something broke on our side. Try again; if it stays, report the X-Request-Id of this response.',
    key_busy:
      'This key has {searches} searches at work already. Wait for their answers before you send more; try this one again in {seconds} s.',
    unavailable: 'The answer is not available at the moment. Try again in {seconds} s.',
  },
  accepts: {
    oneOf: 'one of {values}',
    wholeNumber: 'a whole number from 1 to {max}',
    searchText: 'text of 1 to {max} characters, none of them a control character',
    category: 'the slug of a category, at most {max} characters',
  },
  scoreParts: {
    audience: 'Audience',
    engagement: 'Engagement',
    growth: 'Growth',
    activity: 'Activity',
    trust: 'Trust',
  },
  /** Of the OpenAPI document: what its routes share. */
  openApi: {
    title: 'Catalog Read API',
    description:
      'A read-only API over a catalog of channels, bots and mini apps. Every request needs an API key in the x-api-key header; a key may make 1,000 requests per UTC day. Repeat a request with If-None-Match: an answer 304 costs nothing.',
    key: 'An API key: cat_live_ and 36 letters and digits. It belongs in this header, never in the address.',
    tags: {
      catalog: 'Entries: found, listed, ranked and counted.',
      monitor: 'Whether the platform itself is available.',
    },
    parameters: {
      locale: 'The language of texts. A text that is missing in it is given in the other one.',
      kind: 'Entries of this kind only.',
      category: 'Entries of this category, and of everything below it, only.',
      page: 'Which page, from 1. A page past the end has no items.',
      limit: 'How many entries to list.',
      'if-none-match': 'The ETag of the answer that you already have.',
      'x-request-id': 'Your own id of the request, kept if it is 8 to 64 letters, digits and hyphens.',
    },
    responses: {
      '200': 'The answer.',
      '304':
        'The answer that you have is still right. Costs nothing where If-None-Match names its tag; * costs 1.',
      '400': 'A parameter is missing, malformed, out of bounds, repeated or unknown; the message names it.',
      '401': 'There is no key in the header, or it is not active.',
      '404': 'There is no such entry, or it is unpublished.',
      '429': 'The requests of this day are used up.',
      '500': 'A fault on our side. Costs nothing.',
      '503': 'A store is down or too slow. Costs nothing; try again after Retry-After.',
    },
    headers: {
      'X-Request-Id': 'The id of this request, for questions about it.',
      'X-RateLimit-Limit': 'Requests that a key may make in a UTC day.',
      'X-RateLimit-Remaining': 'Requests that are left today.',
      'X-RateLimit-Cost': 'What this request cost: 0 or 1.',
      'RateLimit-Policy': 'The quota, as a structured field.',
      RateLimit: 'What is left of it, and for how many seconds.',
      ETag: 'Of the answer; send it as If-None-Match.',
      'Last-Modified':
        'When the entry was last updated, or the state last checked or changed. For information: only ETag is compared.',
      Link: 'The pages before and after this one, rel="prev" and rel="next", where there are any (RFC 8288).',
      'Cache-Control': 'Whether and how the answer may be kept.',
      'Content-Language': 'The language of the texts.',
      'Retry-After': 'Whole seconds to wait.',
      'WWW-Authenticate': 'How to send a key.',
    },
  },
};
