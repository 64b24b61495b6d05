import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEngines, type RunningApp, startApp } from '../support/app.ts'
import { times } from '../support/depth.ts'
import { actions } from './model/actions.ts'
import { catalogs } from './model/catalog.ts'
import { Life } from './model/life.ts'

/** Shops that are lived through on each engine. */
const RUNS = times({ gate: 5, deep: 40 })
const MOST_ACTIONS = 80
/** How long a run may look for a shorter way to a difference that it has found. */
const RUN_MS = 60_000

describe('A shop of random actions and clock steps', () => {
  for (const { name, available } of onEngines)
    describe.skipIf(!available)(`on ${name}`, () => {
      let running: RunningApp
      beforeAll(async () => {
        running = await startApp({ engine: name })
      })
      afterAll(() => running.close())

      it('has the figures and events of a simple model after each of them', { timeout: RUNS * RUN_MS }, async () => {
        const lives = fc.asyncProperty(
          fc.noBias(catalogs),
          fc.noBias(fc.array(actions, { minLength: 1, maxLength: MOST_ACTIONS, size: 'max' })),
          async (catalog, wishes) => (await Life.begin(running, catalog)).live(wishes),
        )
        await fc.assert(lives, { numRuns: RUNS, endOnFailure: false, verbose: false })
        expect(running.errors).toEqual([])
      })
    })
})
