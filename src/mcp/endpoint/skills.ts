import { createHash } from 'node:crypto'
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The skills extension: https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx */
export const SKILLS = 'io.modelcontextprotocol/skills'

/** A skill in the format of https://agentskills.io/specification. */
export interface Skill {
  frontmatter: { name: string; description: string }
  /** The texts of the files by path. `SKILL.md` begins with the frontmatter. */
  files: ReadonlyMap<string, string>
}

const MARKDOWN = 'text/markdown'
const MAIN_FILE = 'SKILL.md'

/** All callers get the same skill, which changes only when the service is updated. */
const CACHED = { ttlMs: 3_600_000, cacheScope: 'public' }

/** Handles `skills/list` and `skills/get`. Clients read the files as resources. */
export function answerSkills(server: Server, load: () => Promise<Skill>): void {
  const bound = z.string().max(2_000)
  server.setRequestHandler('skills/list', { params: z.looseObject({}).optional() }, async () => ({
    ...{ resultType: 'complete', ...CACHED },
    skills: [entry(await load())],
  }))
  server.setRequestHandler('skills/get', { params: z.looseObject({ uri: bound }) }, async ({ uri }) => {
    const skill = entry(await load())
    if (uri !== skill.uri)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown skill: ${uri}. The only one is ${skill.uri}.`)
    return { ...{ resultType: 'complete', ...CACHED }, skill }
  })
}

/** Returns the main file of a skill as an entry of `resources/list`. */
export function skillResource({ frontmatter }: Skill) {
  return { uri: rootOf(frontmatter) + MAIN_FILE, ...frontmatter, mimeType: MARKDOWN }
}

/** Returns the file of a skill as the contents of a resource; null if the skill has no such file. */
export function skillContents(skill: Skill, uri: string): { uri: string; mimeType: string; text: string } | null {
  const root = rootOf(skill.frontmatter)
  const text = uri.startsWith(root) ? skill.files.get(uri.slice(root.length)) : undefined
  return text === undefined ? null : { uri, mimeType: MARKDOWN, text }
}

function entry(skill: Skill) {
  const resources = [...skill.files].map(([path, text]) => ({
    uri: rootOf(skill.frontmatter) + path,
    digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
    size: Buffer.byteLength(text),
  }))
  return { uri: rootOf(skill.frontmatter) + MAIN_FILE, frontmatter: skill.frontmatter, resources }
}

function rootOf({ name }: Skill['frontmatter']): string {
  return `skill://${name}/`
}
