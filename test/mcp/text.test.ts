import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readProgram, withoutFence } from '../../src/mcp/program/text.ts'

const code = (text: unknown) => {
  const program = readProgram(text)
  return 'code' in program ? program : expect.fail(JSON.stringify(program))
}

describe('a Markdown fence', () => {
  test.each([
    ['```ruby\ntools.size\n```', 'tools.size'],
    ['```\ntools.size\n```\n', 'tools.size'],
    ['  ```rb\r\ntools.size\r\n```  ', 'tools.size'],
    ['~~~ruby\na\nb\n~~~', 'a\nb'],
    ['````ruby\nputs "```"\n````', 'puts "```"'],
  ])('is stripped from %j', (fenced, inner) => {
    expect(withoutFence(fenced)).toBe(inner)
  })

  test.each(['tools.size', 'puts "```"', 'Here it is:\n```ruby\n1\n```', '```ruby\n1'])('is not seen in %j', (text) => {
    expect(withoutFence(text)).toBe(text)
  })

  test('leaves any program inside it as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (program) => {
        fc.pre(!program.includes('`') && !/[\r\n]/.test(program))
        expect(withoutFence(`\`\`\`ruby\n${program}\n\`\`\``)).toBe(program)
      }),
    )
  })
})

describe('magic comments', () => {
  test('are off unless they stand in the program', () => {
    expect(code('get("/products")')).toMatchObject({ dryRun: false, atomic: true })
  })

  test.each([
    '# dry_run: true\nget("/x")',
    '#dry_run:true',
    '# Dry_Run: TRUE',
    '# dry-run: true',
    '# dryrun = true',
    '# dry_run',
    '# dry run: yes',
    '\n# Archives drafts.\n# dry_run: true\nx = 1',
    'x = 1\n# dry_run: true',
    '```ruby\n# dry_run: true\r\nx = 1\n```',
  ])('ask for a dry run in %j', (text) => {
    expect(code(text).dryRun).toBe(true)
  })

  test.each([
    '# dry_run: false',
    '# dry_run: off',
    '# dry_run of the archive',
    'x = "# dry_run: true"',
    '# not a dry_run: true',
  ])('do not in %j', (text) => {
    expect(code(text).dryRun).toBe(false)
  })

  test('commit each call separately', () => {
    expect(code('# atomic: false\npost("/tags", name: "a")').atomic).toBe(false)
    expect(code('# atomic: true').atomic).toBe(true)
  })

  test('for a dry run below the first lines are refused, so that nothing is written by mistake', () => {
    expect(readProgram(`${'x = 1\n'.repeat(10)}# dry_run: true`)).toMatchObject({ line: 11, source: '# dry_run: true' })
  })
})

test.each([
  [undefined, 'The argument `code` is missing: it takes a Ruby program.'],
  [null, 'The argument `code` is missing: it takes a Ruby program.'],
  [42, 'The argument `code` takes a string, not a number.'],
  [['a'], 'The argument `code` takes a string, not an array.'],
  [{}, 'The argument `code` takes a string, not an object.'],
  [' \n', 'The argument `code` is empty: it takes a Ruby program.'],
  ['```ruby\n\n```', 'The argument `code` is empty: it takes a Ruby program.'],
])('%j is no program', (given, message) => {
  expect(readProgram(given)).toMatchObject({ message })
})

test.each([
  `\`\`\`\n${' '.repeat(900_000)}x`,
  `\`\`\`\nx\n\`\`\`${' '.repeat(900_000)}x`,
  `${'#'.repeat(900_000)}`,
  `${' '.repeat(900_000)}# dry_run`,
  '\n# dry_run: maybe'.repeat(60_000),
])('a program made to be slow to read is read at once', (text) => {
  const started = performance.now()
  readProgram(text)
  expect(performance.now() - started).toBeLessThan(200)
})

test('reading never throws', () => {
  fc.assert(fc.property(fc.anything(), (given) => void readProgram(given)))
})

test('ids in commands hold no NUL characters, which a database could not compare', () => {
  expect(readProgram('# apply: plan_\0')).toEqual({ command: 'apply', planId: 'plan_\u2400' })
  expect(readProgram('# status: bg_\0')).toEqual({ verb: 'status', id: 'bg_\u2400' })
})
