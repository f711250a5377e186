/** What tests read of a record. */
export interface RecordedSection {
  readonly name: string;
  readonly dtype: string;
  readonly forward: string;
  readonly backward?: string;
  readonly peak: number;
}
export function readRecords(path: string): {
  readonly records: Readonly<Record<string, { readonly sections: readonly RecordedSection[] }>>;
};
