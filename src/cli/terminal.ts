/** What a command needs of the process around it. */
export interface Terminal {
  args: string[]
  environment: Record<string, string | undefined>
  /** Where the person who typed the command is: relative names of files are meant from there. */
  directory: string
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  print(text: string): void
  complain(text: string): void
  /** Calls `stop` when the process is asked to end. */
  onStop(stop: () => void): void
}
