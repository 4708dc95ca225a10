import * as fc from 'fast-check';

// What is generated is the same all day and in every process, and another tomorrow: a failure can be repeated, and yet
// no case stays untried for ever. fast-check prints the seed of a failure.
const given = process.env['TEST_SEED'];
if (given !== undefined) fc.configureGlobal({ seed: Number(given) });
