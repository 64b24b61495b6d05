/** A tool with one string argument: a Ruby program, a question, a file or its path. */
export interface ModelTool {
  name: string
  description: string
  argument: 'code' | 'question' | 'file' | 'path'
  /** Runs the tool and returns its result for the model, which may be an error message. */
  run(text: string): Promise<string>
  /** Whether a call ends the conversation. */
  ends?: boolean
}

interface ModelLimits {
  steps: number
  /** The maximum number of tokens that the model may read and write in total. */
  tokens: number
  tokensOfAnswer: number
}

export interface Conversation {
  system: string
  prompt: string
  tools: readonly ModelTool[]
  /** The requested model; null for the configured one. */
  modelId: string | null
  limits: ModelLimits
  signal: AbortSignal
}

export interface ModelUse {
  inputTokens: number
  outputTokens: number
}

/** `limit`: a limit ended the conversation; `refused`: the model or its provider refused to answer. */
export interface Spoken extends ModelUse {
  text: string
  ending: 'said' | 'limit' | 'refused'
}

/** The provider returned no usable response. The message is a sentence without secrets. */
export class ModelFailedError extends Error {
  readonly use: ModelUse

  constructor(message: string, use: ModelUse) {
    super(message)
    this.use = use
  }
}

/** Access to one model. Only jobs, and operations that run outside of a transaction, may use it. */
export interface Models {
  /** Lets the model call tools until it writes its final text. Rejects with ModelFailedError, also after an abort. */
  converse(conversation: Conversation): Promise<Spoken>
}

export interface ModelAccess {
  provider: 'anthropic' | 'openai-compatible'
  modelId: string
  apiKey: string | null
  /** The URL of the API; null for the provider's own. */
  baseUrl: string | null
}

export interface ModelRegistry {
  readonly service: Models | null
  /** Opens an account's own model, which is only reached at public addresses. */
  own(access: ModelAccess): Models
}
