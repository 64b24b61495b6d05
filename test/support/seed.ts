// Sets the seed of the run, which is printed at its start, for all property tests.
import fc from 'fast-check'
import { SEED } from './depth.ts'

fc.configureGlobal({ seed: SEED })
