import { openApi } from './openapi-en.ts';

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
  openApi,
};
