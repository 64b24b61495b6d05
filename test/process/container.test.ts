import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { settingMeanings } from '../../src/config.ts'
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
const [packages = '', image = ''] = stages
const copied = (stage: string) =>
  [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '))
const argumentOf = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(image)?.[1]
const scripts = JSON.parse(read('package.json')).scripts as Record<string, string>

afterAll(killAll)

describe('the Containerfile', () => {
  it('installs the packages of the lock file alone, and leaves npm behind', () => {
    expect(stages).toHaveLength(2)
    expect(copied(packages)).toEqual(['package.json', 'package-lock.json', '.npmrc'])
    expect(packages).toMatch(/^RUN npm ci --omit=dev$/m)
    expect(image).toMatch(/^COPY --from=packages \/app\/node_modules node_modules$/m)
  })

  it('copies what exists, what .dockerignore lets through, and all that src reads', () => {
    const admitted = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path!)
    const all = [...copied(packages), ...copied(image)]
    expect(all.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    expect([...new Set(all)].sort()).toEqual(admitted.sort())
    const needed = filesIn('src')
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => outsideOf(file))
    expect(needed.length).toBeGreaterThan(2)
    const folders = copied(image).map((path) => path.split('/')[0])
    expect(needed.filter((path) => !folders.includes(path))).toEqual([])
  })

  it('runs the commands of package.json as a user without rights, and stops as the service expects', () => {
    const entry = JSON.parse(argumentOf('ENTRYPOINT')!) as string[]
    const command = JSON.parse(argumentOf('CMD')!) as string[]
    expect([...entry, ...command].join(' ')).toBe(scripts.start)
    expect(argumentOf('USER')).toBe('shopwright')
    expect(argumentOf('STOPSIGNAL')).toBe('SIGTERM')
  })

  it('sets settings that exist, and keeps data in its volume', () => {
    const environment = Object.fromEntries(
      argumentOf('ENV')!
        .trim()
        .split(/\s+/)
        .map((pair) => pair.split('=') as [string, string]),
    )
    const known = settingMeanings().map(({ name }) => name)
    expect(Object.keys(environment).filter((name) => name !== 'PATH' && !known.includes(name))).toEqual([])
    expect(environment.DATA_DIR).toBe(argumentOf('VOLUME'))
    expect(environment.PORT).toBe(argumentOf('EXPOSE'))
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
