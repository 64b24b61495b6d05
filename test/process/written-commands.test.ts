import { readdirSync, readFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EXIT_CODES } from '../../src/contract/declarations/exit-codes.ts'
import { freshDirectory } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { npmHere } from '../support/command-host.ts'
import { type Environment, environmentOf, killAll, launch, startServer } from '../support/server.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Programs and data that the documents name without showing them. */
const FILES: Record<string, string> = {
  'program.rb': '1 + 1',
  'report.rb': 'defined?(data) ? data.size : 0',
  'tag.rb': 'post("/tags", name: ARGV[0])["name"]',
  'import.rb': 'data.size',
  'rows.json': '[1, 2]',
  'letter.pdf': '%PDF-1.4\n',
  'articles.pdf': '%PDF-1.4\n',
}
/** Files of other services, by the names that they are downloaded under. */
const MOVED: Record<string, string> = {
  'products_export.csv': 'shopify-products.csv',
  'customers_export.csv': 'shopify-customers.csv',
  'orders_export.csv': 'shopify-orders.csv',
  'products.csv': 'stripe-products.csv',
  'prices.csv': 'stripe-prices.csv',
  'customers.csv': 'stripe-customers.csv',
  'subscriptions.csv': 'stripe-subscriptions.csv',
  'unified_payments.csv': 'stripe-payments.csv',
  'invoices.csv': 'stripe-invoices.csv',
}
const TEMPLATES = ['products', 'customers', 'subscriptions', 'orders']
/** What a shell finds as curl. */
const CURL = `#!/bin/sh\necho '[1, 2, 3]'\n`

/** Commands as a reader copies them: a line of a block that runs one, with its pipe. */
function written(): { file: string; command: string }[] {
  const guides = readdirSync(join(ROOT, 'docs/guides')).map((name) => `docs/guides/${name}`)
  return ['README.md', ...guides].flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .map((line) => /^(?: {4})?((?:\w+=\S+ )?npm run .*|(?:echo|curl) .*\| npm run .*)$/.exec(line)?.[1])
      .filter((command) => command !== undefined)
      .map((command) => ({ file, command: command.trim() })),
  )
}

let base: string
let remove: () => Promise<void>
let environment: Environment
let closeNpm: () => Promise<void>

beforeAll(async () => {
  ;({ directory: base, remove } = await freshDirectory())
  await Promise.all(['bin', 'backups'].map((name) => mkdir(join(base, name))))
  await symlink(join(ROOT, 'examples'), join(base, 'examples'))
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(base, name), text)
  closeNpm = await npmHere(join(base, 'bin'))
  await writeFile(join(base, 'bin/curl'), CURL)
  await chmod(join(base, 'bin/curl'), 0o755)
  for (const [name, file] of Object.entries(MOVED))
    await copyFile(join(ROOT, 'test/moving/files', file), join(base, name))
  const own = environmentOf(join(base, 'data'))
  environment = { ...own, PATH: `${join(base, 'bin')}:${own.PATH}` }
  // A program runs in the server that is there, instead of one that each command would start.
  await startServer(environment)
  for (const kind of TEMPLATES) {
    const { stdout } = await command(['import', 'template', kind], environment)
    await writeFile(join(base, `shop-${kind}.csv`), stdout)
  }
})
afterAll(async () => {
  killAll()
  await closeNpm()
  await remove()
})

it('every command of the README and the guides works as it is written', { timeout: 600_000 }, async () => {
  const commands = new Map(written().map(({ file, command }) => [command, file]))
  expect(commands.size).toBeGreaterThan(15)
  const failed: unknown[] = []
  for (const [words, file] of commands) {
    if (/npm run (-s )?(catalog|bench|check|test|dev|exec <)/.test(words)) continue
    const text = inThisPlace(words)
    const { code, stderr } = await launch('sh', ['-c', `cd ${base} && ${text}`], environment).ended
    if (!expected(words).includes(code!)) failed.push({ file, command: words, code, stderr })
  }
  expect(failed).toEqual([])
})

/** Paths of this test, and the account that is meant, since the README has made another one. */
function inThisPlace(command: string): string {
  const text = command.replaceAll('/backups/', `${base}/backups/`).replace(/ {2,}#.*/, '')
  return /npm run (import -- (shopify|stripe|csv)|export)/.test(text) ? `${text} --account my-shop` : text
}

/** What an ellipsis leaves out cannot be found; a deletion asks for a confirmation; a test account has to be made first. */
function expected(command: string): readonly number[] {
  if (/…|npm run account -- (delete|password-link)|npm run clock -- advance|my-shop/.test(command)) return [0, 1]
  return [0]
}

it('lists every exit code in the guide of commands, and each once', () => {
  const codes = Object.values(EXIT_CODES).map(([code]) => code)
  expect(new Set(codes).size).toBe(codes.length)
  expect(readFileSync(join(ROOT, 'docs/guides/commands.md'), 'utf8')).toContain('{{exitCodes}}')
})
