import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { select } from './quick.ts'
import { filesIn, ROOT } from './support/source-files.ts'

const SMOKE = select([], []).taken

/** Tests that import nothing of what changes. */
function named(...paths: string[]) {
  return paths.map((path) => ({ path, imports: [] }))
}

describe('The quick selection', () => {
  it('is the smoke of each way in where nothing changed, of files that there are', () => {
    expect(select([], named('test/api/tag.test.ts'))).toEqual({ taken: SMOKE, leftOut: [] })
    expect(SMOKE.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('takes tests that changed first, then those that share most with a change', () => {
    const tests = named(
      'test/api/tag.test.ts',
      'test/dashboard/tags.test.ts',
      'test/mcp/run.test.ts',
      'test/format/bill.test.ts',
    )
    const changed = ['src/pages/dashboard/shop/tags.ts', 'test/format/bill.test.ts']
    const expected = ['test/format/bill.test.ts', 'test/dashboard/tags.test.ts', 'test/api/tag.test.ts']
    expect(select(changed, tests)).toEqual({ taken: [...SMOKE, ...expected], leftOut: [] })
  })

  it('takes tests that import a changed file, whatever they are called', () => {
    const tests = [{ path: 'test/sales/rounding.test.ts', imports: ['src/format/money.ts'] }]
    expect(select(['src/format/money.ts'], tests).taken).toContain('test/sales/rounding.test.ts')
  })

  it('finds tests of commands and of guides, which have other names there', () => {
    const tests = named('test/process/pay.test.ts', 'test/documentation/pages.test.ts')
    expect(select(['src/cli/start.ts'], tests).taken).toContain('test/process/pay.test.ts')
    expect(select(['docs/README.md'], tests).taken).toContain('test/documentation/pages.test.ts')
  })

  it('takes twenty files at most, and names the others', () => {
    const tests = named(...Array.from({ length: 40 }, (_, index) => `test/tasks/part${index}.test.ts`))
    const { taken, leftOut } = select(['src/resources/automation/tasks/write.ts'], tests)
    expect([taken.length, leftOut.length]).toEqual([20, 40 + SMOKE.length - 20])
  })

  it('leaves out what takes minutes, also where it changed, and fewer files fit where they are slow', () => {
    const slow = named('test/upgrade/upgrade.test.ts', 'test/golden.test.ts')
    const paths = slow.map(({ path }) => path)
    expect(select(paths, slow).leftOut.sort()).toEqual(paths.sort())
    const pages = named(...Array.from({ length: 15 }, (_, index) => `test/browser/part${index}.test.ts`))
    expect(select(['src/browser/shown.ts'], pages).taken.length).toBeLessThan(SMOKE.length + 10)
  })

  it('ignores words that too many tests have', () => {
    const tests = named(...Array.from({ length: 61 }, (_, index) => `test/api/part${index}.test.ts`))
    expect(select(['src/providers/x-network/api.ts'], tests)).toEqual({ taken: SMOKE, leftOut: [] })
  })

  it('takes what a change of any file of src is near to within its bounds', () => {
    const tests = named(
      ...filesIn('test')
        .filter((path) => path.endsWith('.test.ts'))
        .map((path) => `test/${path}`),
    )
    const all = filesIn('src').map((path) => `src/${path}`)
    expect(select(all, tests).taken).toHaveLength(20)
  })
})
