// Makes a release: checks, the packed file, the list of its parts, the licences, and the checksums. npm run release [-- DIRECTORY]
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { write } from './compile.ts'
import { asText, licences, refused } from './licences.ts'
import { pack } from './pack.ts'
import { serverJson } from './server-json.ts'
import { ROOT, readManifest } from './stage.ts'
import { toolsJson } from './tools-json.ts'
import { outdatedVersions } from './versions.ts'

const { name, version } = readManifest()
const namespace = process.env.MCP_NAMESPACE ?? 'com.example'
const directory = resolve(process.argv[2] ?? join(ROOT, 'dist'))

requireClean()
requireChangelog()
requireCurrentVersions()
for (const script of ['format', 'types', 'test:deep']) run('npm', ['run', script])
run('npm', ['run', 'catalog', '--', '--check'])
requireLicences()
rmSync(directory, { recursive: true, force: true })
await pack(directory)
write(join(directory, `${name}-${version}.cdx.json`), billOfMaterials())
write(join(directory, `${name}-${version}.licences.txt`), asText(licences()))
write(join(directory, 'server.json'), `${JSON.stringify(serverJson(version, namespace), null, 2)}\n`)
write(join(directory, 'tools.json'), toolsJson())
write(join(directory, 'SHA256SUMS'), checksums())
console.log(`The release ${version} is in ${directory}. Tag it: git tag -a v${version} -m "Release ${version}"`)

/** What is released is what a commit has. */
function requireClean(): void {
  const { stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' })
  if (stdout !== '') fail(`There are changes that are not committed:\n${stdout}`)
  const tag = spawnSync('git', ['rev-parse', '--verify', '--quiet', `refs/tags/v${version}`], { cwd: ROOT })
  if (tag.status === 0) fail(`v${version} has been released: raise the version in package.json.`)
}

function requireChangelog(): void {
  if (!readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').includes(`\n## [${version}] - 20`))
    fail(`CHANGELOG.md has no section “## [${version}] - DATE”: write what is new.`)
}

function requireCurrentVersions(): void {
  const outdated = outdatedVersions(new Date())
  if (outdated.length > 0)
    fail(`src/providers/api-versions.ts names versions that are too old:\n${outdated.join('\n')}`)
}

function requireLicences(): void {
  const names = refused(licences()).map((one) => `${one.name} (${one.licence})`)
  if (names.length > 0) fail(`These packages have licences that nobody has allowed: ${names.join(', ')}.`)
}

/** The parts of the release in CycloneDX, from the lock file. npm names the whole after its directory. */
function billOfMaterials(): string {
  const args = ['sbom', '--omit=dev', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 100_000_000 })
  if (status !== 0) fail(`npm sbom failed.\n${stderr}`)
  const bill = JSON.parse(stdout)
  bill.metadata.component.name = name
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** In the format that `sha256sum --check` reads. */
function checksums(): string {
  const files = readdirSync(directory).sort()
  const sum = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(directory, file)))
      .digest('hex')
  return files.map((file) => `${sum(file)}  ${file}\n`).join('')
}

function run(program: string, args: string[]): void {
  const { status } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) fail(`${[program, ...args].join(' ')} failed.`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
