// Gives all property tests one seed, so that a run can be repeated: TEST_SEED=1 npm test.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.TEST_SEED) })
