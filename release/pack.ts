// Makes the file of a release: npm run pack [-- DIRECTORY]
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ROOT, readManifest, stage } from './stage.ts'

/** Packs the release into `shopwright-X.Y.Z.tgz` in `directory`; returns its path. */
export async function pack(directory: string): Promise<string> {
  const staged = mkdtempSync(join(tmpdir(), 'shopwright-release-'))
  try {
    await stage(staged)
    mkdirSync(directory, { recursive: true })
    const { status, stderr } = spawnSync('npm', ['pack', '--pack-destination', directory], {
      cwd: staged,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`npm pack failed.\n${stderr}`)
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
  const { name, version } = readManifest()
  return join(directory, `${name}-${version}.tgz`)
}

if (import.meta.main) console.log(await pack(resolve(process.argv[2] ?? join(ROOT, 'dist'))))
