import type { Db } from 'mongodb';

/**
 * What a program of somebody's own could send to change a collection, past everything that this project does. Each needs
 * nothing but what it is given, so that its text can be sent to where it is to run.
 */
export const ATTACKS: Readonly<Record<string, (db: Db, name: string) => Promise<unknown>>> = {
  insert: (db, name) => db.collection(name).insertOne({ x: 1 }),
  upsert: (db, name) => db.collection(name).updateOne({ x: 1 }, { $set: { x: 2 } }, { upsert: true }),
  update: (db, name) => db.collection(name).updateMany({}, { $set: { account: 'mallory' } }),
  replace: (db, name) => db.collection(name).replaceOne({}, { account: 'mallory' }),
  'find and modify': (db, name) => db.collection(name).findOneAndUpdate({}, { $set: { account: 'mallory' } }),
  'find and remove': (db, name) => db.collection(name).findOneAndDelete({}),
  delete: (db, name) => db.collection(name).deleteMany({}),
  drop: (db, name) => db.collection(name).drop(),
  'a unique index': (db, name) => db.collection(name).createIndex({ kind: 1 }, { unique: true }),
  'dropping its indexes': (db, name) => db.collection(name).dropIndexes(),
  'a validator': (db, name) => db.command({ collMod: name, validator: { x: 1 } }),
  'a view of its name': (db, name) => db.createCollection(name, { viewOn: 'quota', pipeline: [] }),
  'a pipeline that replaces it': (db, name) =>
    db
      .collection('quota')
      .aggregate([{ $out: name }])
      .toArray(),
  'a pipeline that fills it': (db, name) =>
    db
      .collection('quota')
      .aggregate([{ $merge: { into: name } }])
      .toArray(),
  'another collection in its place': (db, name) => db.collection('quota').rename(name, { dropTarget: true }),
};
