import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { readBuild, versionOfBuild, writeBuild } from './artefact-cache.ts'
import { preludeFiles, stripFile, warmUpPrograms } from './prelude.ts'
import type { Artefact } from './snapshot.ts'
import { type Build, type BuildInput, rubyModulePath } from './snapshot-builder.ts'

const FOLDER = new URL('./', import.meta.url)

/** The artefact that was loaded last, and the version of its stored build. */
let latest: { version: string; artefact: Artefact } | undefined

/** Loads the module and the snapshot from the cache, or builds them in about a second. A process compiles a stored build only once. */
export async function loadArtefact(input: BuildInput, cacheDirectory: string | null): Promise<Artefact> {
  const key = cacheKey(input)
  if (cacheDirectory === null) return compiled(await buildInWorker(input), input.maximumPages)
  const version = await versionOfBuild(cacheDirectory, key)
  if (version !== null && latest?.version === version) return latest.artefact
  const cached = await readBuild(cacheDirectory, key)
  const build = cached ?? (await buildInWorker(input))
  if (!cached) await writeBuild(cacheDirectory, key, build)
  const artefact = await compiled(build, input.maximumPages)
  if (cached && version !== null) latest = { version, artefact }
  return artefact
}

async function compiled({ module, snapshot }: Build, maximumPages: number): Promise<Artefact> {
  const ready = await WebAssembly.compile(module)
  module.buffer.transfer(0) // Frees the bytes at once: an idle process may not collect garbage for hours.
  return { module: ready, maximumPages, snapshot }
}

/** A separate thread frees the memory of the build when it ends, and does not block the server. */
function buildInWorker(input: BuildInput): Promise<Build> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./build-worker.ts', import.meta.url), { workerData: input, env: {} })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The sandbox snapshot could not be built')))
  })
}

/** Returns a hash of everything that the artefact depends on: prelude, input, the Ruby module, the runtime, and the code of this folder. */
function cacheKey(input: BuildInput): string {
  const hash = createHash('sha256')
  const { size, mtimeMs } = statSync(input.ruby ?? rubyModulePath)
  hash.update(JSON.stringify([input, preludeFiles(), stripFile(), warmUpPrograms(), process.version, size, mtimeMs]))
  const sources = readdirSync(FOLDER).filter((name) => /\.m?[jt]s$/.test(name))
  for (const name of sources.sort()) hash.update(readFileSync(new URL(name, FOLDER)))
  return hash.digest('hex').slice(0, 32)
}
