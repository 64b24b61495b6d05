import { readFileSync } from 'node:fs'
import type { OperationDeclaration } from '../../declarations/operation.ts'
import type { TextPart } from './answer.ts'
import { jobParts, jobWords } from './job-words.ts'
import { callPart } from './signature.ts'

const FILE = new URL('../../../../docs/guides/recipes.md', import.meta.url)
const RECIPE = /^### (.+)\n\n\*Also: (.+)\*\n\n```ruby\n([\s\S]*?)\n```\n\n(.+)$/gm
const CALL = /\b(get|list|post|patch|delete)\("(\/(?:#\{.*?\}|[^"#])*)"/g

/** A program for a common job, from the guide at `/docs/recipes`. */
export interface Recipe {
  title: string
  /** Other words for the same job. */
  also: readonly string[]
  program: string
  note: string
}

/** The minimum score, from 0 to 1, of a recipe that calls an operation which matches the question. */
const ENOUGH = 0.6
/** The minimum score of a recipe that calls none of these operations. */
const ENOUGH_ALONE = 0.7
/** If no recipe has such a score: the minimum for one that writes the same resource as an operation that matches. */
const NEAR = 0.3
/** A score is the weight of the shared words, divided by a mean of both texts' weights, in which the question has this share. */
const IN_QUESTION = 0.5
/** The weight of a word that no recipe contains, relative to a word that only one recipe contains. */
const UNKNOWN = 1
const LISTS = ['recipe', 'recipes', 'examples']
/** The maximum number of recipes that the description of an operation names. */
const MAX_NAMED = 2

/** Fewer shared words count only if neither the question nor the phrase has other words. */
const MIN_WORDS = 2

/** Finds recipes by questions in plain words, by their titles and by the operations that they call. */
export class Recipes {
  readonly all: readonly Recipe[] = readRecipes()
  readonly #phrases = this.all.flatMap((recipe) =>
    [recipe.title, ...recipe.also].map((phrase) => ({ recipe, words: new Set(jobWords(phrase)) })),
  )
  readonly #rarity = rarityOf(this.all)
  readonly #calls = new Map(this.all.map((recipe) => [recipe, callsOf(recipe)]))

  /** Returns the recipe with this title and the writing operations that it calls, or all titles for the name `recipes`. */
  named(what: string, operations: readonly OperationDeclaration[]): TextPart[] {
    const name = what.trim().toLowerCase()
    if (LISTS.includes(name)) return [{ key: 'recipes', text: this.#list() }]
    const recipe = this.all.find(({ title }) => title.toLowerCase() === name)
    return recipe ? [recipePart(recipe), ...this.writesOf(recipe, operations).map(callPart)] : []
  }

  /**
   * Returns the recipes that match a question or one of its parts, best first. A recipe that calls one of `bests`, the operations
   * that match the question, needs a lower score.
   */
  find(question: string, bests: readonly OperationDeclaration[]): Recipe[] {
    const writes = bests.filter(({ method }) => method !== 'GET')
    const found = new Map<Recipe, number>()
    for (const part of jobParts(question)) {
      const ranked = this.#ranked(jobWords(part))
      const best = ranked.find(({ score, recipe }) => score >= (this.#callsAny(recipe, bests) ? ENOUGH : ENOUGH_ALONE))
      if (best) found.set(best.recipe, Math.max(best.score, found.get(best.recipe) ?? 0))
    }
    if (found.size > 0) return [...found].sort(([, one], [, other]) => other - one).map(([recipe]) => recipe)
    const [near] = this.#ranked(jobWords(question)).filter(({ recipe }) => this.#writesLike(recipe, writes))
    return near && near.score >= NEAR ? [near.recipe] : []
  }

  /** Whether a recipe writes the same resources as one of these operations. */
  #writesLike(recipe: Recipe, operations: readonly OperationDeclaration[]): boolean {
    const written = this.#calls.get(recipe)?.filter((call) => !call.startsWith('GET'))
    return written?.some((call) => operations.some(({ path }) => path.split('/')[1] === call.split('/')[1])) === true
  }

  #callsAny(recipe: Recipe, operations: readonly OperationDeclaration[]): boolean {
    return operations.some((one) => this.#isCalledBy(recipe, one))
  }

  #isCalledBy(recipe: Recipe, operation: OperationDeclaration): boolean {
    return this.#calls.get(recipe)!.some((call) => isCallOf(call, operation))
  }

  /** Returns a line with the recipes that call a writing operation; empty for a read. */
  line(operation: OperationDeclaration): string {
    if (operation.method === 'GET') return ''
    const using = this.all.filter((recipe) => this.#isCalledBy(recipe, operation))
    const names = using.slice(0, MAX_NAMED).map(({ title }) => `describe(${JSON.stringify(title)})`)
    return names.length > 0 ? `Recipe: ${names.join(', ')}` : ''
  }

  /** Returns the writing operations that a recipe's program calls. */
  writesOf(recipe: Recipe, operations: readonly OperationDeclaration[]): OperationDeclaration[] {
    return operations.filter((one) => one.method !== 'GET' && this.#isCalledBy(recipe, one))
  }

  #list(): string {
    return [
      'Recipes, programs for common jobs: describe("title") shows one',
      ...this.all.map(({ title }) => title),
    ].join('\n')
  }

  #ranked(words: readonly string[]) {
    const asked = new Set(words)
    const total = this.#weigh(asked)
    return this.#phrases
      .map(({ recipe, words: own }) => {
        const shared = asked.intersection(own)
        const met = shared.size >= MIN_WORDS || shared.size === asked.union(own).size ? this.#weigh(shared) : 0
        return { recipe, score: total === 0 ? 0 : met / (IN_QUESTION * total + (1 - IN_QUESTION) * this.#weigh(own)) }
      })
      .sort((one, other) => other.score - one.score)
  }

  #weigh(words: ReadonlySet<string>): number {
    const unknown = UNKNOWN * Math.log(1 + this.all.length)
    return [...words].reduce((sum, word) => sum + (this.#rarity.get(word) ?? unknown), 0)
  }
}

export function recipePart({ title, program, note }: Recipe): TextPart {
  return { key: `recipe ${title}`, text: `Recipe: ${title}\n${program}\n${note}` }
}

function readRecipes(): Recipe[] {
  const sections = readFileSync(FILE, 'utf8').matchAll(RECIPE)
  return [...sections].map(([, title = '', also = '', program = '', note = '']) => ({
    ...{ title, program, note },
    also: also.split(' · '),
  }))
}

/** Returns the weight of each word: the fewer recipes contain it, the more it counts. */
function rarityOf(recipes: readonly Recipe[]): Map<string, number> {
  const having = new Map<string, number>()
  for (const { title, also } of recipes)
    for (const word of new Set(jobWords([title, ...also].join(' ')))) having.set(word, (having.get(word) ?? 0) + 1)
  return new Map([...having].map(([word, count]) => [word, Math.log(1 + recipes.length / count)]))
}

/** Returns the calls of a recipe's program, such as `POST /customers/#{id}/tags`. */
function callsOf({ program }: Recipe): string[] {
  return [...program.matchAll(CALL)].map(
    ([, name = '', path]) => `${name === 'list' ? 'GET' : name.toUpperCase()} ${path}`,
  )
}

function isCallOf(call: string, { method, path }: OperationDeclaration): boolean {
  const given = call.replaceAll(/#\{.*?\}(?=\/|$)/g, '{}').split('/')
  const own = `${method} ${path}`.split('/')
  return (
    given.length === own.length &&
    own.every((part, at) => part === given[at] || (part.startsWith('{') && given[at] === '{}'))
  )
}
