import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slow test files, slowest first, so that all workers end at about the same time. Vitest orders the rest. */
const LONG = [
  'test/generated/',
  'test/browser/dashboard',
  'test/bounds/',
  'test/api/bodies',
  'test/sandbox/restoring',
  'test/sales/x402-races',
  'test/mcp/background/',
  'test/tasks/models',
  'test/upgrade/',
  'test/events/queue',
  'test/pages/addresses',
  'test/browser/',
  'test/process/',
  'test/sandbox/',
  'test/api/',
  'test/mcp/',
  'test/providers/',
]

/** Runs the slow test files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ordered = await super.sort(files)
    return ordered.toSorted((one, other) => this.#rank(one) - this.#rank(other))
  }

  #rank({ moduleId }: TestSpecification): number {
    const path = relative(this.ctx.config.root, moduleId)
    const rank = LONG.findIndex((start) => path.startsWith(start))
    return rank < 0 ? LONG.length : rank
  }
}
