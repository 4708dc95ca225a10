/**
 * Whether the API of a test keeps what it has read and rendered. `TEST_CACHES=off npm test` runs the same tests
 * without, and all that holds of answers must hold then too; what is said of the caches themselves is skipped.
 */
export const HAS_CACHES = process.env['TEST_CACHES'] !== 'off';
