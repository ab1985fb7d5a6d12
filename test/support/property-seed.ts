import fc from 'fast-check'

/**
 * What the property tests try is the same in each run, so that a change is refused only for what it did itself. Another TEST_SEED
 * tries other values: `TEST_SEED=$RANDOM npm test`.
 */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) })
