/** A tool that a model may call with one text: a program, a question, or a file. */
export interface ModelTool {
  name: string
  description: string
  /** The name of its only argument. */
  argument: 'code' | 'question' | 'file' | 'path'
  /** What the model reads. An error of the work itself is an answer as well. */
  run(text: string): Promise<string>
  /** The conversation is over once it was called. */
  ends?: boolean
}

export interface ModelLimits {
  steps: number
  /** Tokens read and written together. */
  tokens: number
  tokensOfAnswer: number
}

export interface Conversation {
  system: string
  prompt: string
  tools: readonly ModelTool[]
  /** The model that is asked for; null for the one that the service is set up with. */
  modelId: string | null
  limits: ModelLimits
  signal: AbortSignal
}

export interface ModelUse {
  inputTokens: number
  outputTokens: number
}

/** The model's last words. `limit`: it was stopped by the limits; `refused`: it, or its provider, would not answer. */
export interface Spoken extends ModelUse {
  text: string
  ending: 'said' | 'limit' | 'refused'
}

/** The provider gave no usable answer; the message says why, in a sentence without secrets. */
export class ModelFailedError extends Error {
  override name = 'ModelFailedError'
  readonly use: ModelUse

  constructor(message: string, use: ModelUse) {
    super(message)
    this.use = use
  }
}

/** The way to one model. Only jobs and outside operations talk to it. */
export interface Models {
  /** Lets the model call tools until it has said its last words. Rejects with ModelFailedError, also when it was aborted. */
  converse(conversation: Conversation): Promise<Spoken>
}

export interface ModelAccess {
  provider: 'anthropic' | 'openai-compatible'
  modelId: string
  apiKey: string | null
  /** Null for the address of the provider itself. */
  baseUrl: string | null
}

/** The models that prompts and questions are given to. */
export interface ModelRegistry {
  /** That of the service; null where none is set up. */
  readonly service: Models | null
  /** One that an account brings. It is reached at public addresses alone. */
  own(access: ModelAccess): Models
}
