import { MongoClient } from 'mongodb';
import { describe, inject } from 'vitest';

import { openMongoDocuments } from '../../src/stores/documents/mongodb/documents.ts';
import { accountsContract } from './accounts.ts';

const service = inject('services')['mongodb'];

let databases = 0;

describe.skipIf(typeof service?.url !== 'string')('on MongoDB', () => {
  accountsContract(async () => {
    databases += 1;
    const address = new URL(String(service?.url));
    address.pathname = `/catalog-accounts-${process.pid}-${databases}`;
    return {
      one: openMongoDocuments(address.href),
      two: openMongoDocuments(address.href),
      [Symbol.asyncDispose]: async () => {
        await using client = new MongoClient(address.href);
        await client.db().dropDatabase();
      },
    };
  });
});
