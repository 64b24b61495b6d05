import { bytesInWords } from '../../../../format/sizes.ts'
import type { ModelTool } from '../../../../providers/models/provider.ts'
import { pathProblem } from '../limits.ts'
import type { SiteFile } from '../provider.ts'

/** Limits for the files that a model writes: a few pages with their styles, and no images except drawings. */
const MOST_WRITTEN = 40
const MOST_WRITTEN_BYTES = 400_000
const MOST_WRITTEN_TOGETHER = 1_500_000
const KINDS = ['html', 'css', 'js', 'svg', 'txt', 'json', 'xml', 'webmanifest']

/** The files that a model writes, and its tools for writing them. */
export class Desk {
  readonly #written = new Map<string, string>()
  readonly #pictures: ReadonlyMap<string, SiteFile>

  constructor(pictures: readonly SiteFile[]) {
    this.#pictures = new Map(pictures.map((file) => [file.path, file]))
  }

  get files(): SiteFile[] {
    const texts = [...this.#written.values()]
    const used = [...this.#pictures.values()].filter(({ path }) => texts.some((text) => text.includes(path)))
    return [...[...this.#written].map(([path, text]) => ({ path, bytes: Buffer.from(text) })), ...used]
  }

  readonly tools: readonly ModelTool[] = [
    {
      name: 'write_file',
      description: `Write a file of the site, or replace it. The first line is its path, such as index.html or assets/style.css; everything after it is the content. Files end in ${KINDS.map((kind) => `.${kind}`).join(', ')}.`,
      argument: 'file',
      run: async (text) => this.#write(text),
    },
    {
      name: 'read_file',
      description: 'Read a file of the site by its path. With an empty path, list all files.',
      argument: 'path',
      run: async (path) => this.#read(path.trim()),
    },
    {
      name: 'delete_file',
      description: 'Delete a file of the site by its path.',
      argument: 'path',
      run: async (path) => (this.#written.delete(path.trim()) ? 'Deleted.' : `There is no file ${path.trim()}.`),
    },
  ]

  list(): string {
    const lines = [...this.#written].map(([path, text]) => `${path} (${bytesInWords(Buffer.byteLength(text))})`)
    return lines.length > 0 ? lines.join('\n') : 'There are no files yet.'
  }

  #write(text: string): string {
    const end = text.indexOf('\n')
    const path = (end < 0 ? text : text.slice(0, end)).trim().replace(/^\/+/, '')
    const content = end < 0 ? '' : text.slice(end + 1)
    const problem = this.#problemOf(path, content)
    if (problem !== null) return `Not written: ${problem}`
    this.#written.set(path, content)
    return `Written: ${path}, ${bytesInWords(Buffer.byteLength(content))}.`
  }

  #problemOf(path: string, content: string): string | null {
    const problem = pathProblem(path)
    if (problem !== null) return `the path ${JSON.stringify(path.slice(0, 200))} ${problem}.`
    if (!KINDS.includes(path.slice(path.lastIndexOf('.') + 1).toLowerCase()))
      return `${path} must end in ${KINDS.join(', ')}.`
    if (content.trim() === '') return `${path} has no content. The path is the first line, and the content follows.`
    const size = Buffer.byteLength(content)
    if (size > MOST_WRITTEN_BYTES) return `a file has at most ${bytesInWords(MOST_WRITTEN_BYTES)}.`
    const others = [...this.#written].filter(([name]) => name !== path)
    if (others.length >= MOST_WRITTEN) return `a site has at most ${MOST_WRITTEN} files that you write.`
    const total = others.reduce((sum, [, text]) => sum + Buffer.byteLength(text), size)
    return total > MOST_WRITTEN_TOGETHER ? `all files have at most ${bytesInWords(MOST_WRITTEN_TOGETHER)}.` : null
  }

  #read(path: string): string {
    if (path === '') return this.list()
    return this.#written.get(path) ?? `There is no file ${path}.`
  }
}
