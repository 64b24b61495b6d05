import type { Values } from '../kit/call.ts'
import { localInput, momentOfInput } from '../kit/times.ts'
import type { DashboardContext } from '../kit/visit.ts'
import type { Shape, ShapePart } from './control-kind.ts'
import { knownInList } from './known-values.ts'
import { plainPath } from './part-words.ts'

/**
 * Structured values are encoded in input names: `members.0.address.city`. Each list entry has a mark that stays the same when entries are
 * added, moved or removed; `members.#` holds the marks in order.
 */

export function marksName(list: string): string {
  return `${list}.#`
}

/** The maximum number of entries that are read from a form, which is more than any list can have. */
const MOST_MARKS = 1_000

export function marksOf(form: URLSearchParams, list: string): string[] {
  const marks = (form.get(marksName(list)) ?? '').split(' ').filter((mark) => /^\d{1,6}$/.test(mark))
  return [...new Set(marks)].slice(0, MOST_MARKS)
}

export function formOfValue(visit: DashboardContext, shape: Shape, name: string, value: unknown): URLSearchParams {
  const form = new URLSearchParams()
  write({ visit, form }, shape, name, value)
  return form
}

interface Writing {
  visit: DashboardContext
  form: URLSearchParams
}

function write(writing: Writing, shape: Shape, name: string, value: unknown): void {
  const { visit, form } = writing
  if (shape.kind === 'group') writeParts(writing, shape.parts, name, (value ?? {}) as Values)
  else if (shape.kind === 'groups') {
    const entries = (value ?? []) as Values[]
    setMarks(form, name, [...entries.keys()].map(String))
    for (const [mark, entry] of entries.entries()) writeParts(writing, shape.parts, `${name}.${mark}`, entry)
  } else if (shape.kind === 'choices') for (const one of (value ?? []) as string[]) form.append(name, one)
  else if (value !== null && value !== undefined) form.append(name, textOf(visit, shape, value))
}

function writeParts(writing: Writing, parts: ShapePart[], name: string, values: Values): void {
  for (const part of parts) write(writing, part.shape, `${name}.${part.name}`, values[part.name])
}

function textOf({ account }: DashboardContext, { kind }: Shape, value: unknown): string {
  if (kind === 'texts') return (value as unknown[]).join('\n')
  return kind === 'moment' ? localInput(String(value), account.timezone) : String(value)
}

/** Reads a value from a form. A value that cannot be parsed is passed on unchanged, so that the operation refuses it. */
export function valueOfForm(visit: DashboardContext, shape: Shape, name: string, form: URLSearchParams): unknown {
  switch (shape.kind) {
    case 'group':
      return valuesOf(visit, shape.parts, name, form)
    case 'groups':
      return marksOf(form, name)
        .slice(0, shape.most + 1)
        .map((mark) => valuesOf(visit, shape.parts, `${name}.${mark}`, form))
    case 'choices':
      return form.getAll(name).filter((one) => one !== '')
    case 'flag':
      return form.get(name) === 'true'
    case 'texts':
      return linesOf(form.get(name) ?? '')
    default:
      return valueOfText(visit, shape, (form.get(name) ?? '').replaceAll('\r\n', '\n'))
  }
}

/** Leaves out empty values, except required ones, which the operation then refuses. Empty numbers and choices are left out. */
function valuesOf(visit: DashboardContext, parts: ShapePart[], name: string, form: URLSearchParams): Values {
  const found = parts.map((part) => [part, valueOfForm(visit, part.shape, `${name}.${part.name}`, form)] as const)
  const present = found.filter(([part, value]) => !isAbsent(value) || (part.required && !isPicked(part, name)))
  return Object.fromEntries(present.map(([part, value]) => [part.name, value]))
}

function isPicked({ shape: { kind }, name }: ShapePart, list: string): boolean {
  return kind === 'number' || kind === 'choice' || knownInList(plainPath(`${list}.${name}`)) !== null
}

function isAbsent(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}

function valueOfText({ account }: DashboardContext, { kind }: Shape, text: string): unknown {
  if (kind === 'moment' && text !== '') return momentOfInput(text, account.timezone)
  const isNumber = /^\s*-?\d+(\.\d+)?\s*$/.test(text)
  return (kind === 'number' || kind === 'hidden') && isNumber ? Number(text) : text
}

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

/** The name of buttons that change the form without calling an operation. */
export const CHANGE = 'change'
/** The form field that names the entry just added, which shows its defaults and gets the focus. */
export const ADDED = 'added'

/** Returns the form after a change such as `add members`, `remove members 2`, `up members 2` or `down members 2`. */
export function changedForm(form: URLSearchParams): URLSearchParams {
  const [verb, list = '', mark = ''] = (form.get(CHANGE) ?? '').split(' ')
  const changed = new URLSearchParams(form)
  changed.delete(CHANGE)
  changed.delete(ADDED)
  const marks = marksOf(form, list)
  const at = marks.indexOf(mark)
  if (verb === 'add') {
    const next = String(Math.max(-1, ...marks.map(Number)) + 1)
    setMarks(changed, list, [...marks, next])
    changed.append(ADDED, `${list}.${next}`)
  } else if (at >= 0 && verb === 'remove') setMarks(changed, list, marks.toSpliced(at, 1))
  else if (at > 0 && verb === 'up') setMarks(changed, list, swapped(marks, at - 1))
  else if (at >= 0 && at < marks.length - 1 && verb === 'down') setMarks(changed, list, swapped(marks, at))
  return changed
}

function setMarks(form: URLSearchParams, list: string, marks: string[]): void {
  form.set(marksName(list), marks.join(' '))
}

function swapped(marks: string[], at: number): string[] {
  return [...marks.slice(0, at), marks[at + 1]!, marks[at]!, ...marks.slice(at + 2)]
}
