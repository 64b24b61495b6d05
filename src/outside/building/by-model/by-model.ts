import { withoutMarker } from '../../../contract/values/agent-marker.ts'
import { ModelFailedError, type Models, type Spoken } from '../../models/provider.ts'
import { checkSite } from '../check-site.ts'
import { picturesOf } from '../pictures.ts'
import { BuildFailedError, type BuildOrder, type BuiltSite, type SiteBuilder } from '../provider.ts'
import { Desk } from './desk.ts'
import { promptOf, repairPrompt, SYSTEM } from './words.ts'

/** What one build may take, over all its conversations. */
const MOST_STEPS = 40
const MOST_TOKENS = 400_000
const TOKENS_OF_ANSWER = 16_000
/** A build ends before its job does. */
const MOST_MS = 270_000
/** Conversations after the first, each about what the check found. */
const REPAIRS = 2
/** Problems that the model reads at once. */
const SHOWN_PROBLEMS = 20

/** Lets the model of this service write the files of a site. What it has written is checked before anybody sees it. */
export function modelBuilder(models: Models): SiteBuilder {
  return {
    name: 'model',
    instructionsFor({ id, name, prompt }) {
      return [
        `The model of this service builds the website “${name}” (${id}) from the shop, its products and its owner’s brief:`,
        withoutMarker(prompt ?? ''),
        'Make this task active to build it again, for example after products have changed.',
      ].join('\n\n')
    },
    work: { lasts: 'long', asksModel: true, build: (order) => new ModelBuild(models, order).build() },
  }
}

/** One build: a conversation, and a few about its problems. */
class ModelBuild {
  readonly #models: Models
  readonly #order: BuildOrder
  readonly #signal: AbortSignal
  readonly #use = { inputTokens: 0, outputTokens: 0 }

  constructor(models: Models, order: BuildOrder) {
    this.#models = models
    this.#order = order
    this.#signal = AbortSignal.any([order.signal, AbortSignal.timeout(MOST_MS)])
  }

  async build(): Promise<BuiltSite> {
    const pictures = picturesOf(this.#order.shop.products)
    const desk = new Desk(pictures.files)
    const first = promptOf(this.#order, pictures)
    let prompt = first
    let problems: string[] = []
    for (let round = 0; round <= REPAIRS && this.#tokensLeft > 0; round++) {
      const { ending } = await this.#converse(prompt, desk)
      if (ending === 'refused') throw this.#failed(['The model refused to build this site. Change the brief.'])
      problems = checkSite(desk.files)
      if (problems.length === 0) return { files: desk.files, notes: [], ...this.#use }
      prompt = repairPrompt(first, desk.list(), problems.slice(0, SHOWN_PROBLEMS))
    }
    throw this.#failed(['What the model has written did not pass the check.', ...problems])
  }

  async #converse(prompt: string, desk: Desk): Promise<Spoken> {
    const limits = { steps: MOST_STEPS, tokens: this.#tokensLeft, tokensOfAnswer: TOKENS_OF_ANSWER }
    const asked = { system: SYSTEM, prompt, tools: desk.tools, modelId: null, limits, signal: this.#signal }
    try {
      const spoken = await this.#models.converse(asked)
      this.#count(spoken)
      return spoken
    } catch (error) {
      this.#order.signal.throwIfAborted()
      if (!(error instanceof ModelFailedError))
        throw this.#failed([`The model was not done after ${MOST_MS / 1000} seconds.`])
      this.#count(error.use)
      throw this.#failed([error.message])
    }
  }

  get #tokensLeft(): number {
    return MOST_TOKENS - this.#use.inputTokens - this.#use.outputTokens
  }

  #count({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): void {
    this.#use.inputTokens += inputTokens
    this.#use.outputTokens += outputTokens
  }

  #failed(problems: string[]): BuildFailedError {
    return new BuildFailedError(problems, { ...this.#use })
  }
}
