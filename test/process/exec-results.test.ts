import { spawnSync } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { showAnswer } from '../../src/cli/tool-answer.ts'
import { some } from '../support/depth.ts'
import { execIn, PLACES } from './exec-place.ts'

const BIN = fileURLToPath(new URL('../../bin/shopwright.mjs', import.meta.url))
const ROWS = 8_000

describe.each(PLACES)('what exec gives, %s', (place) => {
  const shop = execIn(place)
  const exec = (code: string, ...args: string[]) => shop.exec(args, code)

  it('is the whole of a long result, to a pipe and to a file', async () => {
    const code = `(1..${ROWS}).map { |n| { n: n, name: "product number #{n}" } }`
    const { code: ended, stdout, stderr } = await exec(code)
    expect({ ended, stderr }).toEqual({ ended: 0, stderr: '' })
    expect(stdout.length).toBeGreaterThan(400_000)
    const rows = JSON.parse(stdout)
    expect([rows.length, rows.at(-1)]).toEqual([ROWS, { n: ROWS, name: `product number ${ROWS}` }])
    await writeFile(join(shop.directory, 'report.rb'), code)
    const file = openSync(join(shop.directory, 'out.json'), 'w')
    const env = shop.environment as Record<string, string>
    const run = spawnSync(process.execPath, [BIN, 'exec', join(shop.directory, 'report.rb')], {
      env,
      stdio: ['ignore', file, 'pipe'],
    })
    expect(run.status).toBe(0)
    expect(JSON.parse(readFileSync(join(shop.directory, 'out.json'), 'utf8'))).toHaveLength(ROWS)
  })

  it('keeps what the program prints away from the value, unless asked otherwise', async () => {
    const code = 'puts "line one"\nputs "line two"\n{ sum: 2 }'
    expect(await exec(code)).toMatchObject({ code: 0, stdout: '{\n  "sum": 2\n}\n', stderr: 'line one\nline two\n' })
    expect(await exec(code, '--puts')).toMatchObject({ code: 0, stdout: 'line one\nline two\n', stderr: '' })
    expect(await exec('"a,b\\n1,2\\n"', '--raw')).toMatchObject({ code: 0, stdout: 'a,b\n1,2\n' })
    expect(await exec('[1]', '--raw')).toMatchObject({ code: 0, stdout: '[\n  1\n]\n' })
    expect(await exec('puts 1')).toMatchObject({ stdout: 'null\n' })
  })

  it('tells by its exit code that the output is cut', async () => {
    const code = 'puts "x" * 100_000\n1'
    expect(await exec(code)).toMatchObject({
      code: 0,
      stdout: '1\n',
      stderr: expect.stringContaining('output was cut'),
    })
    const cut = await exec(code, '--puts')
    expect(cut).toMatchObject({ code: 8, stderr: expect.stringContaining('output was cut') })
  })

  it('is stored under a key as a reader gets it, and the second run says that it is cut', async () => {
    const code = '# once: long-result\npost("/tags", name: "Long")\n(1..30_000).to_a'
    const first = await exec(code)
    expect([first.code, JSON.parse(first.stdout).length]).toEqual([0, 30_000])
    const second = await exec(code)
    expect(second).toMatchObject({ code: 8, stderr: expect.stringContaining('Not run again') })
    expect(JSON.parse(second.stdout).length).toBeLessThan(30_000)
  })

  const FAILURES: [string, string, number][] = [
    ['a refused call', 'post("/tags", {})["id"]', 6],
    ['a refusal that was overlooked', 'post("/tags", name: "Kept?")\npost("/tags", {})\n1', 6],
    ['an error of the program', 'nil.upcase', 1],
    ['a syntax error', 'def', 1],
    ['too many calls', '1001.times { get("/account") }', 7],
    ['too much memory', 'a = "x" * 1_000_000\nb = []\nloop { b << a + "y" }', 7],
    ['the deadline', 'loop { }', 7],
  ]

  it.each(some(FAILURES, 6))('has an exit code of its own for %s', async (_, code, expected) => {
    const { code: ended, stdout, stderr } = await exec(code)
    expect({ ended, stdout, stderr }).toEqual({
      ended: expected,
      stdout: '',
      stderr: expect.stringContaining('committed: none'),
    })
  })
})

it('exec has the exit code of a limit for a program that runs out of time', () => {
  const error = { type: 'deadline_exceeded', message: 'Too long.', line: 1, source: 'loop { }', hint: null }
  const said: string[] = []
  const complain = (text: string) => said.push(text)
  const terminal = {
    args: [],
    environment: {},
    directory: '.',
    input: process.stdin,
    complain,
    print() {},
    onStop() {},
  }
  expect(showAnswer(terminal, { error, committed: 'none' })).toBe(7)
  expect(said).toEqual(['deadline_exceeded: Too long.', '  line 1: loop { }', '  committed: none'])
})
