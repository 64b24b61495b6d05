/** A tool with one string argument: a program, a question, or a file. */
export interface ModelTool {
  name: string
  description: string
  /** The name of its only argument. */
  argument: 'code' | 'question' | 'file' | 'path'
  /** Returns the text for the model. An error of the tool's work is a result as well. */
  run(text: string): Promise<string>
  /** Whether a call ends the conversation. */
  ends?: boolean
}

interface ModelLimits {
  steps: number
  /** The sum of tokens read and written. */
  tokens: number
  tokensOfAnswer: number
}

export interface Conversation {
  system: string
  prompt: string
  tools: readonly ModelTool[]
  /** The requested model; null for the one that the service is configured with. */
  modelId: string | null
  limits: ModelLimits
  signal: AbortSignal
}

export interface ModelUse {
  inputTokens: number
  outputTokens: number
}

/** The model's final text. `limit`: the limits stopped it; `refused`: the model or its provider refused to answer. */
export interface Spoken extends ModelUse {
  text: string
  ending: 'said' | 'limit' | 'refused'
}

/** The provider returned no usable response; the message gives the reason in a sentence without secrets. */
export class ModelFailedError extends Error {
  override name = 'ModelFailedError'
  readonly use: ModelUse

  constructor(message: string, use: ModelUse) {
    super(message)
    this.use = use
  }
}

/** Access to one model. Only jobs and outside operations use it. */
export interface Models {
  /** Lets the model call tools until its final text. Rejects with ModelFailedError, also after an abort. */
  converse(conversation: Conversation): Promise<Spoken>
}

export interface ModelAccess {
  provider: 'anthropic' | 'openai-compatible'
  modelId: string
  apiKey: string | null
  /** Null for the provider's own URL. */
  baseUrl: string | null
}

/** The models for prompts and questions. */
export interface ModelRegistry {
  /** The service's model; null if none is configured. */
  readonly service: Models | null
  /** Returns an account's own model, which is only reached at public addresses. */
  own(access: ModelAccess): Models
}
