import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Report } from '../report.ts'
import { Heard } from './heard.ts'
import type { BurningShop } from './shop.ts'

/** Something that breaks and is mended again. */
export interface Scene {
  name: string
  happen(): Promise<void>
  /** Commits that were cut off so far. */
  cutCommits?: () => number
}

/** The shop sells so long before and after. */
const LEAD_MS = 4_000
/** A statement waits 20 s for a silent network, a commit that was cut off is looked for as long, a connection is waited for 10 s. */
const LONGEST_ANSWER_MS = 55_000

/** Lets the shop sell while a scene happens, and reports how it got through. */
export async function play(scene: Scene, shop: BurningShop, report: Report): Promise<void> {
  const { name, cutCommits = () => 0 } = scene
  shop.heard = new Heard()
  shop.start()
  await delay(LEAD_MS)
  const cut = cutCommits()
  const began = performance.now()
  await scene.happen()
  const lasted = (performance.now() - began) / 1000
  let after = 0
  await report.check(`${name}: writes are taken again without hands`, async () => {
    after = await shop.recovered()
  })
  await delay(LEAD_MS)
  await shop.stop()
  const { refusedSeconds, longestMs, counts, wrong } = shop.heard
  if (cutCommits() > cut) report.figure('commits cut', cutCommits() - cut)
  report.figure(
    'lasted, refused, back after',
    [lasted, refusedSeconds, after].map((one) => `${one.toFixed(1)} s`).join(', '),
  )
  report.figure('longest answer', `${(longestMs / 1000).toFixed(1)} s`)
  report.figure('answers', JSON.stringify(Object.fromEntries(counts)))
  await report.check(`${name}: every refusal is a 503 with Retry-After`, () => assert.deepEqual(wrong, []))
  await report.check(`${name}: nobody waits longer than the limits`, () => assert.ok(longestMs < LONGEST_ANSWER_MS))
}

/** What must be true of the shop once everything is over. */
export async function judge(shop: BurningShop, report: Report): Promise<void> {
  await report.check('nothing is under way in the end', () => shop.settle())
  await report.check('nothing acknowledged is lost, nothing was done twice, and the books agree', async () =>
    assert.deepEqual(await shop.problems(), []),
  )
  for (const [name, count] of Object.entries(await shop.counts())) report.figure(name, count)
}
