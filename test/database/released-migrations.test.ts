import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

/** In the format of sha256sum, which writes it: `(cd src/database/migrations && sha256sum *.sql)`. */
const RELEASED = new URL('./released-migrations.sha256', import.meta.url)
const MIGRATIONS = new URL('../../src/database/migrations/', import.meta.url)

const released = (await readFile(RELEASED, 'utf8')).trim().split('\n')
const files = (await readdir(MIGRATIONS)).sort()
const lines = await Promise.all(
  files.map(async (file) => `${sha256(await readFile(new URL(file, MIGRATIONS)))}  ${file}`),
)

it('migrations that were released come before all others and never change: a new one repairs what an old one did', () => {
  expect(lines.slice(0, released.length)).toEqual(released)
})

function sha256(text: Buffer): string {
  return createHash('sha256').update(text).digest('hex')
}
