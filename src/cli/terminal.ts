/** The environment of a command. Tests pass their own. */
export interface Terminal {
  args: string[]
  environment: Record<string, string | undefined>
  /** The directory in which the command was typed. File names are relative to it. */
  directory: string
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  print(text: string): void
  complain(text: string): void
  /** Calls `stop` when the process receives a signal to end. */
  onStop(stop: () => void): void
}

export function inColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}

export function printRows(terminal: Terminal, rows: string[][], none: string): void {
  for (const line of inColumns(rows)) terminal.print(line)
  if (rows.length === 0) terminal.complain(none)
}
