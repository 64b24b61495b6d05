// Gives all property tests the seed of the run, which is said at its start.
import fc from 'fast-check'
import { SEED } from './depth.ts'

fc.configureGlobal({ seed: SEED })
