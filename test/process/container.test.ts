import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { settingMeanings } from '../../src/config.ts'
import { rubyModulePath } from '../../src/sandbox/snapshot-builder.ts'
import { freshDirectory } from '../database/engines.ts'
import { environmentOf, killAll, launch, startServer } from '../support/server.ts'
import { codeOf, filesIn, ROOT, read } from '../support/source-files.ts'

const instructions = read('Containerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
const stages = instructions
  .join('\n')
  .split(/^FROM /m)
  .slice(1)
const [release = '', packages = '', image = ''] = stages
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
    expect(copied(packages)).toEqual(['package.json', 'package-lock.json', '.npmrc'])
    expect(packages).toMatch(/^RUN npm ci --omit=dev && .* && npm prune --omit=dev --omit=optional$/m)
    expect(image).toMatch(/^COPY --from=packages \/app\/node_modules node_modules$/m)
  })

  it('runs on the Node.js that the packages pin', () => {
    const [, kept] = /cp --dereference node_modules\/\.bin\/node (\S+)/.exec(packages)!
    expect(image).toMatch(new RegExp(`^COPY --from=packages ${kept} /usr/local/bin/node$`, 'm'))
  })

  it('keeps every package that src imports, though it leaves out the optional ones', () => {
    const locked = JSON.parse(read('package-lock.json')).packages as Record<string, Locked>
    const imported = new Set(
      filesIn('src')
        .filter((file) => /\.(ts|js)$/.test(file))
        .flatMap(packagesIn),
    )
    expect(imported.size).toBeGreaterThan(20)
    const keeps = (name: string) => {
      const entry = locked[`node_modules/${name}`]
      return entry && !entry.dev && !entry.optional && !entry.devOptional
    }
    expect([...imported].filter((name) => !keeps(name))).toEqual([])
  })

  it('removes the large modules of Ruby, and not the one in which programs run', () => {
    const [, pattern] = /^RUN rm (\S+)/m.exec(packages)!
    const removed = globSync(pattern!, { cwd: ROOT })
    expect(removed.length).toBeGreaterThan(0)
    expect(removed).not.toContain(relative(ROOT, rubyModulePath))
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
    const all = [...copied(release), ...copied(packages)]
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

interface Locked {
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
}

/** The packages that a file imports when it runs. Types are gone by then, and `dashboard/…` are modules of our own. */
function packagesIn(file: string): string[] {
  const imports = codeOf(file).replace(/^import type [^']*'.*'$/gm, '')
  return [
    ...imports.matchAll(/(?:\bfrom |\bimport\(|^import )'(?!dashboard\/)((?:@[\w.-]+\/)?\w[\w.-]*)[^':]*'/gm),
  ].map(([, name]) => name!)
}

/** The directories beside `src` that a file names. */
function outsideOf(file: string): string[] {
  const text = readFileSync(join(ROOT, 'src', file), 'utf8')
  const depth = file.split('/').length
  return [...text.matchAll(/new URL\(\s*'((?:\.\.\/)+)([^/']+)/g)]
    .filter(([, up]) => up!.length / 3 === depth)
    .map(([, , name]) => name!)
    .filter((name) => existsSync(join(ROOT, name)) && statSync(join(ROOT, name)).isDirectory())
}
