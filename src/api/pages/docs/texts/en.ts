/**
 * The developer page in English; which texts there are is decided here. writing.ts says how code, links and places are
 * written.
 */
export const en = {
  product: 'Catalog Read API',
  title: 'Documentation',
  contents: 'On this page',
  guide: 'Guide',
  more: 'More of the guide',
  markdown: 'This page as Markdown',
  copy: 'Copy',
  copied: 'Copied',
  lead: 'Channels, chats, bots and mini apps of a messaging platform as JSON: search, entries with metrics and a score, the top, the categories, and whether the platform works. Read-only, in Russian and English.',
  summary: {
    base: 'Base address',
    key: 'Key',
    keyIs: 'in the header `x-api-key`',
    limit: 'Limit',
    limitIs: '{limit} requests per key and UTC day',
    machine: 'For machines',
    machineIs: '[openapi.json]({root}openapi.json), OpenAPI 3.1',
  },
  upstream:
    'Systems that put entries into the catalog do so by events, not here: their contract is `docs/reference/events.md` in the repository.',
  table: { parameters: 'Parameters', status: 'Status', message: 'Message', name: 'Name' },

  quickStart: {
    title: 'Quick start',
    key: 'Get a key',
    gettingFromAccount: 'Make one in your [account]({root}{locale}/account): sign in, name the key, copy it.',
    gettingFromOperator: 'Keys are issued by whoever runs this catalog: ask them for one.',
    getting:
      'On a machine of your own, `npm start` prints a demo key. A key is shown once, when it is made. Keep it in the environment of your program, not in its code. Read it in like this, and the history of your shell does not keep it either:',
    pasting: 'In bash or zsh: run this, paste the key (it is not shown), press Enter',
    ask: 'Send a request',
    asking: 'The three entries that match best:',
    answer: 'What comes back',
    answering:
      'An object with fields in snake_case. Times are UTC. `null` means that something is not known or not measured; arrays are never `null`.',
    example: 'An answer of /search',
    addresses: 'What you can ask for',
    addressing:
      'Everything is a GET below `{base}`. The [reference]({root}docs/{locale}/reference) describes every parameter and field, and sends real requests with your key.',
    address: 'Address',
    gives: 'Answers with',
    open: 'The same state of the platform, without a key',
  },

  authentication: {
    title: 'Authentication',
    paragraphs: [
      'Send the key in the header `x-api-key` with every request below `/api/v1`. Nothing else counts as a key: no query parameter, no cookie, no `Authorization`.',
      'A key in the address is refused, because logs and histories keep addresses. If one of yours was ever in an address, in a chat or in a repository, have it revoked.',
      'Do not put a key into a web page or an app that others run: whoever has the page has the key. Let a server of yours ask, and pass the answers on.',
      'An account has at most {keys} active keys. So a key is replaced without an interruption: have a second one made, switch over, have the first one revoked. A revoked key is refused everywhere within 2 seconds.',
    ],
    form: 'A key is `cat_live_` and 36 letters and digits; the last six are a checksum, so a secret scanner can recognise one.',
  },

  limits: {
    title: 'Limits',
    quota:
      'A key may make *{limit} requests per UTC day*. The count starts again at 00:00 UTC, and is the same on every server. Every response says where the key stands:',
    headers: 'Headers of a response',
    counting: 'What counts',
    countingIntro: '`X-RateLimit-Cost` of each response says what it cost.',
    request: 'Response',
    cost: 'Costs',
    usedUp: 'When nothing is left',
    usedUpIs:
      'The answer is 429 with the code [rate_limited]({root}docs/{locale}#rate_limited), and `Retry-After` says how many seconds are left of the day. Wait that long: until then every request is refused, also one that would be answered with 304. Another key in the place of this one goes on with the same day.',
    conditional: 'Ask again for free',
    conditionalIs:
      'Every 200 has an `ETag`. Send it back as `If-None-Match`. While the answer is the same, you get 304 without a body, and the request costs nothing. So asking every minute costs only as much as there is news. Only a tag that you name is free: `If-None-Match: *` costs 1. curl keeps the tag in a file:',
    conditionalRun: 'Run it twice: 200 and 1, then 304 and 0',
    browsers:
      'Compare tags, not times: `Last-Modified` is for information, and `If-Modified-Since` is not looked at.',
    sizes: 'Sizes and times',
    sizesAre:
      'Address and headers together may take {headerBytes} bytes and {headerFields} fields; a request has no body. It has {requestSeconds} seconds to arrive, and its response as long to be taken. Answers above {compressedAbove} bytes are compressed with br or gzip if you send `Accept-Encoding`.',
  },
  counting: {
    answered: '200',
    refused: '400, once the key was accepted',
    missing: '404 of an entry',
    head: 'HEAD, as GET would',
    unchanged: '304 for a tag that you named',
    anyTag: '304 for `If-None-Match: *`',
    unreadable: '400, before a key was looked at: broken percent-encoding',
    unauthorized: '401',
    method: '405',
    usedUp: '429',
    fault: '500 and 503: what they cost is given back',
    unknown: '404 of an address that does not exist',
    preflight: 'OPTIONS',
    open: '`/api/status`, `/openapi.json` and the pages under `/docs`',
  },

  errors: {
    title: 'Errors',
    intro:
      'Whatever is refused, the answer has this form. `code` is for programs and stays as it is. `message` is for people: it is in the language that you ask for with `locale`, names the first parameter that is wrong, and says what is accepted. `docs` leads to the paragraph below.',
    example: 'An error',
    id: 'Every response has an `X-Request-Id`. Send one of your own (8 to 64 letters, digits and hyphens) and it is kept, so that your log and ours can be laid side by side. Name it when you report a fault.',
    places: 'Words in italics are filled in.',
    /** docs/reference/errors.md has the same paragraphs, held by a test. */
    codes: {
      bad_request:
        'The request itself is wrong; sent again as it is, it will fail again. A parameter is missing, empty, malformed, out of bounds (values are never clamped), repeated or unknown; the address has a broken percent-encoding; the method is not GET or HEAD (405, with `Allow`); or the HTTP parser or its limits refuse it (400, 408, 413, 414, 431), and the connection is closed. Costs 1 once a key has been accepted, else 0.',
      no_key:
        '401: there is no key in the `x-api-key` header. A key in the address does not count, and should be revoked: addresses are kept in logs and histories. Costs 0.',
      bad_key: '401: the header holds something, and it is no active key. Costs 0.',
      not_found:
        '404: no entry is published under this slug (costs 1), or there is nothing at this address (costs 0).',
      rate_limited:
        '429: the key’s requests of this UTC day are used up. `Retry-After` says how many seconds are left of it. Costs 0.',
      internal:
        '500 is a fault of ours: report its `X-Request-Id`. 503 says that a store is down, damaged or too slow, that more searches wait for it than it can answer in time, or that your key has too many at work (eight at once, others wait for up to a second): try again after `Retry-After` seconds. Both cost 0.',
    },
  },

  search: {
    title: 'Searching and paging',
    paragraphs: [
      '`q` is text of 1 to {searchLength} characters and nothing else: no sign in it is an operator. Both languages are searched, whatever the `locale`. The last word may be unfinished, a slip of the finger is forgiven, and Russian and Latin spellings of a name find each other.',
      'A username or title that equals `q` comes first, then the nearer match, then the higher score. `kind` is {kinds}; `category` stands for everything below it too. A category that does not exist has nothing in it.',
      '`page` is 1 to {maxPage}, `limit` 1 to {maxLimit}, so {places} places can be reached. `total` counts that far; `total_exact` is false where more match. A page past the end has no items and the true total.',
    ],
    links:
      'Do not build addresses of pages: `links` in the body has them, and so has the `Link` header. Follow `next` until it is `null`:',
    all: 'Every entry that matches',
    fresh:
      'An entry that is unpublished is 404 a moment later, and then stands in no list either. A new entry may be in the top a moment before search finds it.',
  },

  languageSection: {
    title: 'Languages',
    paragraphs: [
      'Texts come in the language of `locale`: {locales}; `{defaultLocale}` if you do not say. `Accept-Language` is not looked at, so the same address always gives the same answer.',
      'A title or a description that is missing in one language is given in the other one. `Content-Language` names the language that was asked for. The state of the platform has its texts in both.',
      'Slugs, codes, units and the names of fields are the same in every language.',
    ],
  },

  score: {
    title: 'The score',
    paragraphs: [
      'Entries are ranked by a score from 0 to 100. It is the sum of points: the value of each part times its weight. An entry carries the breakdown, so you can add it up yourself. The formula’s version, now `{formula}`, stands in `score.formula` and changes whenever the formula does: compare scores of one version only.',
    ],
    example: 'The score of an example',
    part: 'Part',
    value: 'Value',
    weight: 'Weight',
    points: 'Points',
    sum: 'Score',
    parts: {
      audience: 'subscribers, or monthly users, on a logarithmic scale',
      engagement: 'views per subscriber of a channel; the rating of a bot or mini app',
      growth: 'the change of the audience over 30 days',
      activity: 'posts a week of a channel; mentions of a bot or mini app',
      trust: 'verification, and warnings such as scam or fake',
    },
    missing:
      'A part without an input is left out, and the weights of the others grow so that they add up to 1; `coverage` is the weight that was left. `preliminary` is true with any of these reasons:',
    reasons: {
      missing_inputs: 'not every part has an input',
      short_history: 'measured over too few days',
      small_sample: 'the audience is too small to tell',
    },
  },

  monitor: {
    title: 'The monitor',
    intro:
      'Probes from several places watch the platform itself. `/status` says what they know: the state, when it began, each component, uptime, latency and the last incidents. The same body is served without a key at [{url}/api/status]({root}api/status), fit for a status page. An outage of the platform is data: the answer is always 200.',
    state: 'State',
    meaning: 'Meaning',
    states: {
      up: 'Everything that is watched answers.',
      degraded: 'Some checks fail or are slow, or a component is down.',
      down: 'Every critical component is down.',
      unknown: 'Nobody has reported for too long, or nothing is watched.',
    },
    stale:
      '`stale` is true where the data are old, whatever the reason; an outage of ours shows in the same way, and is never taken for one of the platform.',
    rules: 'The rules',
    rulesIntro:
      'A round is {interval} seconds. Of the places that reported in it, a majority decides: failed, weak (some failed, or most were slow), or ok. These numbers are in force now, and stand as `policy` in every answer:',
    number: 'Number',
    policy: {
      interval_s: 'seconds in a round',
      settle_s: 'seconds after its end at which a round counts',
      degraded_rounds: 'rounds that are not ok, within the window, make a component degraded',
      degraded_window: 'rounds in that window',
      fail_rounds: 'failed rounds in a row make it down',
      recover_rounds: 'rounds in a row bring it back from down, or from unknown',
      steady_rounds: 'ok rounds in a row bring it from degraded to up',
      unknown_rounds: 'silent rounds in a row make it unknown',
      flap_changes: 'changes of state are tolerated; with more it is flapping, and held at degraded',
      flap_window_s: 'seconds in which those changes are counted',
      flap_ok_rounds: 'ok rounds in a row end the flapping',
      reopen_s: 'seconds within which a new incident is the last one again',
      stale_after_s: 'seconds without a round make the answer stale',
    },
  },

  changes: {
    title: 'Changes',
    intro: 'The address says the major version: `/api/v1`. Within it your program goes on working.',
    may: 'May come at any time',
    mayList: [
      'new addresses, new optional parameters, new response headers',
      'new fields in any object: ignore those that you do not know',
      'new members where a list may grow: kinds, subtypes, flags, reasons, causes, units. Treat one that you do not know as “other”',
      'the words of messages and descriptions, the order of fields, the value of an ETag',
      'scores, when the formula’s version changes',
      'wider limits',
    ],
    mayNot: 'Will not change within v1',
    mayNotList: [
      'addresses, and what a request means that is valid today',
      'the name, the type and the meaning of a field; whether it can be `null`',
      'error codes and their statuses',
      'how a key is sent, and what counts',
      'the slug of an entry',
    ],
    notice:
      'What has to go is announced here, and in the responses concerned, at least {months} months before: `Deprecation` (RFC 9745) says since when, `Sunset` (RFC 8594) until when. A next major version stands beside this one for that time. Nothing is deprecated today.',
  },

  client: {
    title: 'Typed clients',
    intro:
      'The description is OpenAPI 3.1, made from the schemas by which requests are read and answers are typed; every operation has a name, and every answer is a named component. Any generator can read it. For TypeScript, openapi-typescript makes types and no code:',
    generate: 'Make the types',
    use: 'Use them',
    russian:
      'Its texts are in English; [openapi.json?lang=ru]({root}openapi.json?lang=ru) has them in Russian.',
  },

  changelog: {
    title: 'Changelog',
    intro: 'What has changed for programs that use the API and for the people who write them.',
    feed: 'The same as an Atom feed',
    entries: {
      reference: {
        title: 'A new reference',
        items: [
          'The reference is in the language of the page, has samples in curl, JavaScript and Python, and sends requests with your key.',
          'The guide is cut into pages, each with a twin in Markdown; `/llms.txt` lists them. Addresses of errors stay as they were.',
          'Anchors of the reference are names of operations; the earlier ones lead on.',
        ],
      },
      accounts: {
        title: 'Keys in an account',
        items: ['An account makes, names, rotates and revokes its keys, and shows what each has used.'],
      },
      pages: {
        title: 'Pages of the catalog',
        items: [
          'The top, categories, search, entries and the status of the platform are pages, too, in Russian and English.',
          'Incidents come as an Atom feed.',
        ],
      },
      v1: {
        title: 'Version 1',
        items: ['Search, entries, the top, categories and the status of the platform below `/api/v1`.'],
      },
    },
  },

  referencePage: {
    title: 'Reference',
    lead: 'Every address, parameter and field, with samples in three languages, and requests that can be sent from here.',
    key: 'Your key',
    keyIs:
      'Paste a key, and it stands in the samples and goes with the requests that you send from here. It stays in the memory of this page: it is stored nowhere, is part of no address, and is gone when the page is closed. Requests count.',
    keyFromAccount: 'No key yet? Make one in your [account]({root}{locale}/account).',
    keyFromOperator: 'No key yet? Ask whoever runs this catalog for one.',
    keyUsed: 'The key is in the samples.',
    keyWrong: 'This is not a whole key: one is cat_live_ and 36 letters and digits.',
    forget: 'Forget it',
    toSend: 'What to send',
    noParameters: 'No parameters.',
    headers: 'Headers of the request',
    required: 'required',
    usually: 'default',
    send: 'Send the request',
    samples: 'The language of the samples',
    comesBack: 'What comes back',
    sending: 'Waiting for the answer…',
    failed: 'No answer arrived. Is the network there, and is the key plain text?',
    answered: 'in {time} ms',
    emptyBody: '(no body)',
    receivedHeaders: 'Headers of the answer',
    receivedBody: 'Body of the answer',
    example: 'An example',
    fields: 'Fields',
    fieldsOf: 'Fields of',
    only: 'Only for',
    commonHeaders: 'Headers of every answer',
    besides: 'besides:',
    otherwise: 'Otherwise',
    next: 'Next:',
    headersTitle: 'Headers of answers',
    headersIntro: 'They mean the same in every answer, so they are explained once.',
    header: 'Header',
    meaning: 'Meaning',
    carried: 'Carried by',
    form: 'Form',
    always: 'every answer',
    sometimes: 'some answers',
    statusesTitle: 'Answers without a result',
    statusesIntro:
      'They have the same form in every operation. The [guide]({root}docs/{locale}#errors) has every code with its messages.',
    noScript: 'Sending requests from here needs JavaScript. Everything else is here without it.',
  },
  find: {
    button: 'Search the docs',
    label: 'Search guide and reference',
    placeholder: 'An address, a field, a word',
    results: 'Found',
    nothing: 'Nothing found. Try another word.',
    failed: 'The search could not be loaded. Try again.',
  },
};
