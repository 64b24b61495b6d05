import { parseArgs } from 'node:util'

/** What a suite of this folder says: figures, sentences that hold or do not, and their totals as its last line. */
export class Report {
  #passed = 0
  #failed = 0

  /** Runs `work`; its error is printed, and the suite goes on. Returns whether the sentence holds. */
  async check(sentence: string, work: () => unknown): Promise<boolean> {
    const began = performance.now()
    try {
      await work()
      this.#passed += 1
      console.log(`  ok    ${sentence} (${seconds(began)})`)
      return true
    } catch (error) {
      this.#failed += 1
      console.log(`  FAIL  ${sentence} (${seconds(began)})`)
      console.log(String(error instanceof Error ? error.stack : error).replace(/^/gm, '        '))
      return false
    }
  }

  figure(name: string, value: string | number): void {
    console.log(`  ${name}: ${typeof value === 'number' ? value.toLocaleString('en-US') : value}`)
  }

  /** Prints the totals, which have to be the last line, and sets the exit code. A suite without checks has failed. */
  end(): void {
    if (this.#passed + this.#failed === 0) this.#failed = 1
    console.log(`${this.#passed} passed, ${this.#failed} failed`)
    process.exitCode = this.#failed > 0 ? 1 : 0
  }
}

/** The options of a suite, each with its value when it is not given: `{ seed: '1' }` reads `--seed 7`. Others are ignored. */
export function suiteOptions<Name extends string>(defaults: Record<Name, string>): Record<Name, string> {
  const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' as const }]))
  const { values } = parseArgs({ options, strict: false, allowPositionals: true })
  const given = Object.entries(values).filter(([name, value]) => name in defaults && typeof value === 'string')
  return { ...defaults, ...Object.fromEntries(given) }
}

function seconds(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`
}
