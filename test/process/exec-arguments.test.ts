import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { command } from '../support/command.ts'
import { execIn, PLACES } from './exec-place.ts'

/** Text that would end a Ruby string, a comment or a program if anything were spliced. */
const HOSTILE = '"; exit #{1} \' \n__END__\n=begin\n# once: x\n\u2028 \\" <<~X é 😀'

describe.each(PLACES)('exec with arguments, %s', (place) => {
  const shop = execIn(place)
  const { exec } = shop
  const file = async (name: string, text: string) => {
    await writeFile(join(shop.directory, name), text)
    return join(shop.directory, name)
  }
  const resultOf = async (args: string[], input?: string) => {
    const { code, stdout, stderr } = await exec(args, input)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  it('gives them to the program as ARGV', async () => {
    const program = await file('argv.rb', 'ARGV')
    expect(await resultOf([program, '--', 'a', '--search', '-b', HOSTILE, ''])).toEqual([
      'a',
      '--search',
      '-b',
      HOSTILE,
      '',
    ])
    expect(await resultOf([program])).toEqual([])
    expect(await resultOf(['--', '1'], 'ARGV.first.to_i + 1')).toBe(2)
    expect(await resultOf(['--search', '--', 'tag'], 'tools.search(ARGV.first).size > 0')).toBe(true)
  })

  it('gives it the JSON of a file, or of standard input, as data', async () => {
    const rows = [{ sku: HOSTILE, 'a key': null, n: 1.5 }, 7, [[]]]
    const data = await file('data.json', `\uFEFF${JSON.stringify(rows, null, 2)}\n`)
    const program = await file(
      'data.rb',
      'def all = data\n{ all: all, sku: [all.first[:sku], all.first["sku"]].uniq.size }',
    )
    for (const args of [['--data', data], [`--data=${data}`]])
      expect(await resultOf([program, ...args])).toEqual({ all: rows, sku: 1 })
    expect(await resultOf([program, '--data', '-'], JSON.stringify(rows))).toEqual({ all: rows, sku: 1 })
    const nothing = await file('null.json', 'null')
    expect(await resultOf(['--data', nothing], '[data, ARGV]'.replace(', ARGV', ''))).toEqual([null])
  })

  it('keeps the lines of the program, and the meaning of its first ones', async () => {
    const program = await file('lines.rb', '# dry_run: true\n\npost("/tags", name: ARGV[0])\nnil.upcase')
    const failed = await exec([program, '--', 'Never'])
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('  line 4: nil.upcase\n') })
    const dry = await exec(['--', 'Planned'], '# dry_run: true\npost("/tags", name: ARGV[0])["name"]')
    expect(dry).toMatchObject({ code: 0, stdout: '"Planned"\n' })
    const [plan] = /plan_\w+/.exec(dry.stderr)!
    const applied = await command(['plans', 'apply', plan], { ...shop.environment, SHOPWRIGHT_URL: undefined })
    // The plan of a token on another server is that token's alone to a program, and the operator's here.
    expect(applied).toMatchObject({ code: 0, stdout: '"Planned"\n', stderr: 'Saved: 1 tag.created\n' })
    const once = (name: string) => exec(['--', name], '# once: arguments\npost("/tags", name: ARGV[0])["name"]')
    expect(await once('Once')).toMatchObject({ code: 0, stderr: 'Saved: 1 tag.created\n' })
    expect(await once('Once')).toMatchObject({
      code: 0,
      stdout: '"Once"\n',
      stderr: expect.stringContaining('Not run again'),
    })
    expect(await once('Other')).toMatchObject({ code: 6, stderr: expect.stringContaining('once_key_reused') })
  })

  it.skipIf(place !== PLACES[0])('says what is wrong with them before anything runs', async () => {
    const bad = await file('bad.json', '{"a": }')
    const large = await file('large.json', JSON.stringify('x'.repeat(300_000)))
    await mkdir(join(shop.directory, 'folder'), { recursive: true })
    const said = async (...args: string[]) => {
      const { code, stdout, stderr } = await exec(args, '1')
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      return stderr
    }
    expect(await exec([], 'data.size')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('hint: Give the program its data with --data'),
    })
    expect(await said('--data', bad)).toMatch(/bad\.json is not JSON: /)
    expect(await said('--data', join(shop.directory, 'absent.json'))).toMatch(/^There is no file .*absent\.json\.\n$/)
    expect(await said('--data', join(shop.directory, 'folder'))).toMatch(/folder is a directory, not a file\.\n$/)
    expect(await said('--data', large)).toMatch(/are 29\d KB together; the limit is 256 KB/)
    expect(await said('--data', '-')).toMatch(/^Standard input cannot be both/)
    expect(await said('--data')).toMatch(/^--data needs a value/)
    expect(await said(bad, 'red')).toMatch(/arguments for .*bad\.json after --/)
  })
})
