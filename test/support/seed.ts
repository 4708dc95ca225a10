import * as fc from 'fast-check';

// What is generated follows from one seed in every process (sizes.ts says which), so that a failure can be repeated.
// fast-check prints the seed of a failure.
const given = process.env['TEST_SEED'];
if (given !== undefined) fc.configureGlobal({ seed: Number(given) });
