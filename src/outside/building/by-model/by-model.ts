import { withoutMarker } from '../../../contract/values/agent-marker.ts'
import { formatNumber } from '../../../words/numbers.ts'
import { ModelFailedError, type Spoken } from '../../models/provider.ts'
import { checkSite } from '../check-site.ts'
import { picturesOf } from '../pictures.ts'
import { BuildFailedError, type BuildOrder, type BuiltSite, type SiteBuilder } from '../provider.ts'
import { Desk } from './desk.ts'
import { promptOf, repairPrompt, SYSTEM } from './words.ts'

/** What one build may take, over all its conversations; the account may have fewer tokens left. */
const MOST_STEPS = 40
const MOST_TOKENS = 400_000
const TOKENS_OF_ANSWER = 16_000
/** A build ends before its job does. */
const MOST_MS = 270_000
/** Conversations after the first, each about what the check found. */
const REPAIRS = 2
/** Problems that the model reads at once. */
const SHOWN_PROBLEMS = 20

/** Lets the model of the account, or of this service, write the files of a site. What it has written is checked before anybody sees it. */
export const modelBuilder: SiteBuilder = {
  name: 'model',

  instructionsFor({ id, name, prompt }) {
    return [
      `A model builds the website “${name}” (${id}) from the shop, its products and its owner’s brief:`,
      withoutMarker(prompt ?? ''),
      'Make this task active to build it again, for example after products have changed.',
    ].join('\n\n')
  },

  work: { lasts: 'long', tokens: MOST_TOKENS, build },
}

async function build(order: BuildOrder): Promise<BuiltSite> {
  if (!order.model) throw new BuildFailedError(['The account has no model any more.'])
  return new ModelBuild(order.model, order).build()
}

/** One build: a conversation, and a few about its problems. */
class ModelBuild {
  readonly #model: NonNullable<BuildOrder['model']>
  readonly #order: BuildOrder
  readonly #signal: AbortSignal
  readonly #use = { inputTokens: 0, outputTokens: 0 }

  constructor(model: NonNullable<BuildOrder['model']>, order: BuildOrder) {
    this.#model = model
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
    throw this.#failed([...this.#shortage(), 'What the model has written did not pass the check.', ...problems])
  }

  async #converse(prompt: string, desk: Desk): Promise<Spoken> {
    const limits = { steps: MOST_STEPS, tokens: this.#tokensLeft, tokensOfAnswer: TOKENS_OF_ANSWER }
    const asked = { system: SYSTEM, prompt, tools: desk.tools, modelId: null, limits, signal: this.#signal }
    try {
      const spoken = await this.#model.models.converse(asked)
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
    return this.#model.tokens - this.#use.inputTokens - this.#use.outputTokens
  }

  #shortage(): string[] {
    if (this.#tokensLeft > 0) return []
    return [`The model has used the ${formatNumber(this.#model.tokens)} tokens that this build may take.`]
  }

  #count({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): void {
    this.#use.inputTokens += inputTokens
    this.#use.outputTokens += outputTokens
  }

  #failed(problems: string[]): BuildFailedError {
    return new BuildFailedError(problems, { ...this.#use })
  }
}
