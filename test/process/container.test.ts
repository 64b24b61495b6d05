import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { WHOLE } from '../../release/bundle.ts'
import { settingMeanings } from '../../src/settings/config.ts'
import { freshDirectory } from '../database/engines.ts'
import { environmentOf, killAll, launch, startServer } from '../support/server.ts'
import { filesIn, ROOT, read } from '../support/source-files.ts'

const instructions = read('Containerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
const stages = instructions
  .join('\n')
  .split(/^FROM /m)
  .slice(1)
const [release = '', runtime = '', image = ''] = stages
const copied = (stage: string) =>
  [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '))
/** What of a staged release is in the image. */
const released = [...image.matchAll(/^COPY --from=release (.+) \S+$/gm)]
  .flatMap(([, paths]) => paths!.split(' '))
  .map((path) => path.replace('/release/', ''))
const argumentOf = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(image)?.[1]
const scripts = JSON.parse(read('package.json')).scripts as Record<string, string>

afterAll(killAll)

describe('the Containerfile', () => {
  it('installs the packages of the lock file alone, and leaves npm behind', () => {
    expect(stages).toHaveLength(3)
    for (const stage of [release, runtime]) expect(stage).toMatch(/^COPY package.json package-lock.json .npmrc \.\/$/m)
    expect(release).toMatch(/^RUN npm ci$/m)
    expect(runtime).toMatch(/^RUN npm ci --omit=dev && /m)
    expect(image).not.toContain('npm')
  })

  it('runs on the Node.js that the packages pin', () => {
    const [, kept] = /cp --dereference node_modules\/\.bin\/node (\S+)/.exec(runtime)!
    expect(image).toMatch(new RegExp(`^COPY --from=runtime ${kept} /usr/local/bin/node$`, 'm'))
  })

  it('has the packages that a release does not hold, and those alone', () => {
    const [, kept] = /cp --recursive --parents (.*) \/release$/m.exec(release)!
    expect(kept!.split(' ')).toEqual(WHOLE.map((name) => `node_modules/${name}`))
    expect(released).toContain('node_modules')
  })

  it('lets nothing into its context that .dockerignore does not name', () => {
    const rules = read('.dockerignore')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
    expect(rules[0]).toBe('*')
    expect(rules.slice(1).filter((rule) => !rule.startsWith('!'))).toEqual([])
  })

  it('copies what exists, what .dockerignore lets through, and all that src reads', () => {
    const admitted = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path!)
    const all = [...copied(release), ...copied(runtime)]
    expect(all.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    expect([...new Set(all)].sort()).toEqual(admitted.sort())
    const needed = filesIn('src')
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => outsideOf(file))
    expect(needed.length).toBeGreaterThan(2)
    expect(needed.filter((path) => !released.includes(path))).toEqual([])
  })

  it('runs the commands of package.json as a user without rights, and stops as the service expects', () => {
    const entry = JSON.parse(argumentOf('ENTRYPOINT')!) as string[]
    const command = JSON.parse(argumentOf('CMD')!) as string[]
    expect([...entry, ...command].join(' ')).toBe(scripts.start)
    expect(image).toContain(`useradd --uid ${argumentOf('USER')} `)
    expect(Number(argumentOf('USER'))).toBeGreaterThan(0)
    expect(argumentOf('STOPSIGNAL')).toBe('SIGTERM')
  })

  it('sets settings that exist, and keeps data in its volume', () => {
    const environment = Object.fromEntries(
      argumentOf('ENV')!
        .trim()
        .split(/\s+/)
        .map((pair) => pair.split('=') as [string, string]),
    )
    // One of Node.js itself.
    const known = [...settingMeanings().map(({ name }) => name), 'NODE_COMPILE_CACHE']
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([])
    expect(environment.DATA_DIR).toBe(argumentOf('VOLUME'))
    expect(environment.PORT).toBe(argumentOf('EXPOSE'))
  })

  it('has its modules compiled by the user that runs them, where nobody else has to write', () => {
    const { NODE_COMPILE_CACHE: cache } = Object.fromEntries(
      [...argumentOf('ENV')!.matchAll(/(\S+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
    )
    expect(image).toMatch(new RegExp(`install --directory --owner=shopwright .* ${cache}$`, 'm'))
    expect(image.indexOf('\nRUN node bin/compile.mjs')).toBeGreaterThan(image.indexOf('\nUSER '))
    expect(existsSync(join(ROOT, 'bin/compile.mjs'))).toBe(true)
  })

  it('asks for its health in a way that tells a server that is ready from one that is not there', async () => {
    const [program, script] = JSON.parse(/^HEALTHCHECK .*CMD (\[.*\])$/m.exec(image)![1]!) as [string, string]
    expect(program).toBe('node')
    const { directory, remove } = await freshDirectory()
    const server = await startServer(environmentOf(directory))
    const { port } = new URL(server.url)
    const health = () => launch(process.execPath, [join(ROOT, script)], { PORT: port }).ended
    expect(await health()).toMatchObject({ code: 0, stderr: '' })
    await server.stop()
    expect(await health()).toMatchObject({ code: 1, stderr: '' })
    await remove()
  })
})

/** The directories beside `src` that a file names. */
function outsideOf(file: string): string[] {
  const text = readFileSync(join(ROOT, 'src', file), 'utf8')
  const depth = file.split('/').length
  return [...text.matchAll(/new URL\(\s*'((?:\.\.\/)+)([^/']+)/g)]
    .filter(([, up]) => up!.length / 3 === depth)
    .map(([, , name]) => name!)
    .filter((name) => existsSync(join(ROOT, name)) && statSync(join(ROOT, name)).isDirectory())
}
