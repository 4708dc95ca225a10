import type { Code } from './blocks.ts';
import type { Place } from './snippets.ts';

/** The same question in three languages. */
export function firstRequests({ base, locale }: Place): readonly Code[] {
  const url = `${base}/search?q=python&locale=${locale}&limit=3`;
  return [
    {
      caption: 'curl',
      language: 'sh',
      // What is searched for may be in any alphabet, and curl sends an address as it stands.
      text: `curl -i -G -H "x-api-key: $CATALOG_KEY" \\
  --data-urlencode 'q=python' \\
  '${base}/search?locale=${locale}&limit=3'`,
    },
    {
      caption: 'JavaScript',
      language: 'javascript',
      text: `const url = '${url}';
const headers = { 'x-api-key': process.env.CATALOG_KEY ?? '' };
const response = await fetch(url, { headers });
const body = await response.json();
if (!response.ok) throw new Error(body.error.message);
for (const { title, score } of body.items) console.log(score.value, title);`,
    },
    {
      caption: 'Python',
      language: 'python',
      text: `import json, os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    "${url}",
    headers={"x-api-key": os.environ["CATALOG_KEY"]},
)
try:
    body = json.load(urlopen(request))
except HTTPError as refused:
    raise SystemExit(json.load(refused)["error"]["message"])
for item in body["items"]:
    print(item["score"]["value"], item["title"])`,
    },
  ];
}
