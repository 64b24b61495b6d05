import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Body, onGateEngine } from '../support/shop.ts'
import { askModern } from './modern.ts'

const SKILLS = 'io.modelcontextprotocol/skills'
const ROOT = 'skill://shopwright/'

describe('The skill', () => {
  onGateEngine((shop) => {
    const ask = async (method: string, params: Record<string, unknown> = {}): Promise<Body> =>
      (await askModern(shop.running, method, params)).body
    const skill = async () => (await ask('skills/list')).result.skills[0]
    const read = async (uri: string): Promise<string> => {
      const { contents } = (await ask('resources/read', { uri })).result
      expect(contents).toEqual([{ uri, mimeType: 'text/markdown', text: expect.any(String) }])
      return contents[0].text
    }

    it('is offered to clients of the revision that has extensions, and to no others', async () => {
      expect((await ask('server/discover')).result.capabilities).toMatchObject({
        resources: {},
        extensions: { [SKILLS]: {} },
      })
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      const older = async (method: string): Promise<Body> => {
        const response = await fetch(`${shop.running.url}/mcp`, {
          method: 'POST',
          headers: { authorization: `Bearer ${shop.running.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        })
        return (await response.json()) as Body
      }
      expect((await older('initialize')).result.capabilities).toEqual({ tools: {} })
      for (const method of ['skills/list', 'resources/list']) expect((await older(method)).error.code).toBe(-32601)
    })

    it('is listed with all its files, whose digests and sizes are right', async () => {
      const { result } = await ask('skills/list')
      expect(result).toMatchObject({ resultType: 'complete', ttlMs: expect.any(Number), cacheScope: 'public' })
      const { uri, resources } = result.skills[0]
      expect(uri).toBe(`${ROOT}SKILL.md`)
      expect(resources.length).toBeGreaterThan(5)
      for (const { uri, digest, size } of resources) {
        const bytes = Buffer.from(await read(uri))
        expect([size, digest]).toEqual([bytes.length, `sha256:${createHash('sha256').update(bytes).digest('hex')}`])
      }
      expect((await ask('skills/get', { uri })).result).toMatchObject({
        resultType: 'complete',
        skill: result.skills[0],
      })
      const { name, description } = result.skills[0].frontmatter
      expect((await ask('resources/list')).result.resources).toEqual([
        { uri, name, description, mimeType: 'text/markdown' },
      ])
    })

    it('begins with the frontmatter that is listed, within the limits of the format', async () => {
      const { uri, frontmatter } = await skill()
      const { name, description, ...others } = frontmatter
      const head = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n# Programs\n`
      expect([name, others, (await read(uri)).slice(0, head.length)]).toEqual(['shopwright', {}, head])
      expect(description.length).toBeLessThanOrEqual(1024)
    })

    it('links only to its own files and to pages of this service that exist', async () => {
      const { resources } = await skill()
      const own = resources.map(({ uri }: { uri: string }) => uri)
      for (const uri of own)
        for (const [, link] of (await read(uri)).matchAll(/\]\(([^)\s#]+)/g)) {
          if (!link!.startsWith('http')) expect(own).toContain(new URL(link!, uri).href)
          else if (link!.startsWith(shop.running.url)) expect([link, (await fetch(link!)).status]).toEqual([link, 200])
        }
    })

    it('is one: another skill, file or place outside of it is refused', async () => {
      const { error } = await ask('skills/get', { uri: 'skill://other/SKILL.md' })
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(`${ROOT}SKILL.md`) })
      for (const path of ['other.md', '../package.json', 'references/../SKILL.md', '', 'constructor'])
        expect((await ask('resources/read', { uri: ROOT + path })).error).toMatchObject({ code: -32602 })
    })
  })
})
