import fc from 'fast-check'

/**
 * Property tests use the same values in each run, so that a failure is caused by the change under test. Another TEST_SEED
 * gives other values: `TEST_SEED=$RANDOM npm test`.
 */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) })
