import { expect, it } from 'vitest'
import { limits } from '../../src/sandbox/limits.ts'
import { buildSnapshot } from '../../src/sandbox/snapshot-builder.ts'
import { resources, tools } from './room.ts'

/** As many as the real catalogue has. */
const OPERATIONS = 155
/** What the operating system takes memory in. */
const PAGE_BYTES = 4096
/** With the garbage of its tables it would be 20 million. */
const MOST_BYTES = 13_000_000

/** Bytes in the pages of a memory that are not zero throughout. */
function usedBytes(memory: Uint8Array): number {
  const zeros = Buffer.alloc(PAGE_BYTES)
  const starts = Array.from({ length: memory.length / PAGE_BYTES }, (_, page) => page * PAGE_BYTES)
  return starts.filter((start) => zeros.compare(memory, start, start + PAGE_BYTES) !== 0).length * PAGE_BYTES
}

it('keeps no garbage of its making in the snapshot, of which every worker has a copy', async () => {
  const catalogue = Array.from({ length: OPERATIONS }, (_, index) => {
    const description = Array.from({ length: 60 }, (_, word) => `word${(index * 7 + word) % 400}`).join(' ')
    return { ...tools[index % tools.length]!, path: `/v1/things_${index}`, description }
  })
  const input = { tools: catalogue, resources, maximumPages: limits.memoryPages, strip: true }
  const { snapshot } = await buildSnapshot(input)
  expect(usedBytes(new Uint8Array(snapshot.memory))).toBeLessThan(MOST_BYTES)
})
