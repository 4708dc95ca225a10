/** Tests that need a service name it: `documents.mongodb.test.ts`. They are run by `npm run test:services` alone. */
export const SERVICE_TESTS = 'test/**/*.{kafka,mongodb,meilisearch}.test.ts';

/** Whether a test file asks for a service. */
export function asksFor(file: string, service: string): boolean {
  return file.split('/').at(-1)?.split('.').slice(1, -2).includes(service) ?? false;
}
