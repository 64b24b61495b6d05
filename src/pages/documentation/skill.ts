import { EventTypes } from '../../contract/documents/event-types.ts'
import type { Catalogue } from './catalogue.ts'
import { type Guide, guides, guideWords, type ServiceFacts } from './guides.ts'
import { markdownOf } from './page.ts'

/** The guides that the skill consists of: the first is its main file, and the others are its references. */
const GUIDES = ['programs', 'recipes', 'plans', 'background', 'tasks', 'lists', 'reports', 'selling']
const LINK = /\]\((\/[^)#\s]*)/g

const FRONTMATTER = {
  name: 'shopwright',
  description:
    'How to run a Shopwright shop with Ruby programs: products, orders, refunds, customers, subscriptions, discounts, posts and reports. Read it before the first call of code_execute.',
}

/** Returns the skill that teaches agents to program this service, with the text of each file by path. */
export function programmingSkill(catalogue: Catalogue, facts: ServiceFacts) {
  const all = guides(guideWords(facts, catalogue, new EventTypes(catalogue.nouns, catalogue.findNoun)))
  const own = GUIDES.flatMap((name) => all.filter(({ path }) => path === `/docs/${name}`))
  const fileOf = new Map(
    own.map(({ path }, index) => [path, index === 0 ? 'SKILL.md' : `references/${path.slice(6)}.md`]),
  )
  const files = own.map((guide, index) => {
    const text = index === 0 ? mainText(guide, own.slice(1)) : markdownOf(guide)
    const linked = text.replaceAll(LINK, (_, path: string) => {
      const file = fileOf.get(path)
      return `](${file === undefined ? facts.publicUrl + path : (index === 0 ? '' : '../') + file}`
    })
    return [fileOf.get(guide.path) ?? '', linked] as const
  })
  return { frontmatter: FRONTMATTER, files: new Map(files) }
}

function mainText(guide: Guide, references: readonly Guide[]): string {
  const { name, description } = FRONTMATTER
  const listed = references.map(({ path, title, description }) => `- [${title}](${path}): ${description}`)
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${markdownOf(guide)}\n## References\n\n${listed.join('\n')}\n`
}
