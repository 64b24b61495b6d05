import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { prepareShop } from '../support/prepared.ts'
import { type Environment, environmentOf, killAll, launch, shopwright } from '../support/server.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

describe('a command', () => {
  let base: string
  let remove: () => Promise<void>
  let environment: Environment

  beforeAll(async () => {
    ;({ directory: base, remove } = await freshDirectory())
    environment = environmentOf(join(base, 'data'))
    await prepareShop(environment)
    await mkdir(join(base, 'mine'))
    await writeFile(join(base, 'mine/own.rb'), '[ARGV, data]')
    await writeFile(join(base, 'mine/own.json'), '{"a": 1}')
  })
  afterAll(() => {
    killAll()
    return remove()
  })

  const inMine = (line: string) => launch('sh', ['-c', `cd ${base}/mine && ${line}`], environment).ended

  it('that npm runs takes files from where the person is', async () => {
    const npm = `npm --prefix ${ROOT} run -s`
    const run = await inMine(`${npm} exec -- own.rb --data own.json -- x y`)
    expect({ ...run, stdout: JSON.parse(run.stdout) }).toMatchObject({ code: 0, stdout: [['x', 'y'], { a: 1 }] })
    expect(await inMine(`${npm} backup -- shop.tar`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(join(base, 'mine/shop.tar')),
    })
    // What another project's npm has left in the environment means nothing.
    const stale = { ...environment, INIT_CWD: '/nowhere', npm_package_json: '/nowhere/package.json' }
    expect((await shopwright(['exec', 'examples/absent.rb'], stale).ended).stderr).toContain(
      join(ROOT, 'examples/absent.rb'),
    )
  })

  it.each([
    [['backup', 'absent/shop.tar'], 2, /^There is no directory \/.*\/absent: create it, or choose another location\.$/],
    [['backup', '/dev/null/shop.tar'], 2, /^\/dev\/null is a file, not a directory/],
    [['backup'], 2, /^Name the file to write\.\n\nBacks up the service/],
    [['backup', '--fast'], 2, /^There is no option --fast\./],
    [['restore'], 2, /^Name the backup to restore\./],
    [['restore', 'absent.tar'], 2, /^There is no file absent\.tar \(\//],
    [['restore', '/tmp'], 2, /^\/tmp is a directory, not a file\.$/],
    [['tokens'], 2, /^There is no command tokens\. Did you mean token\?/],
    [['token', 'crate'], 2, /^There is no action crate\. Did you mean create\?/],
    [['plans', 'aply', 'plan_1'], 2, /^There is no action aply\. Did you mean apply\?/],
    [['start', 'now'], 2, /^Unexpected argument: “now”\./],
    [['catalog', '--chek'], 2, /^There is no option --chek\. Did you mean --check\?/],
    [['exec', '--help', 'x'], 0, /^$/],
    [['--help'], 0, /^$/],
  ])('that is wrong says what would be right: %j', async (args, expected, sentence) => {
    const { code, stdout, stderr } = await command(args, environment)
    expect(code).toBe(expected)
    expect(stderr.trim()).toMatch(sentence)
    expect(stderr).not.toMatch(/node:internal|\.ts:\d|E[A-Z]{4,}/)
    if (expected === 0) expect(stdout).toMatch(/Exit codes:\n\n {4}0 {2}Done/)
  })

  it('ends quietly when nobody reads on', async () => {
    const program = `${process.execPath} ${join(ROOT, 'bin/shopwright.mjs')}`
    const line = `echo '(1..60000).to_a' | ${program} exec | head -1`
    expect(await inMine(line)).toMatchObject({ code: 0, stdout: '[\n', stderr: '' })
  })
})
