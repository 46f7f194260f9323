import { BaseSequencer, type TestSpecification } from 'vitest/node';

const isOfPage = ({ moduleId }: TestSpecification) => moduleId.endsWith('.page.test.ts');

/** The page in a browser comes first, since it waits a lot; then the slowest of the rest. */
export class PageFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of a sequencer, not of an array
    const sorted = await super.sort(files);
    return [...sorted.filter(isOfPage), ...sorted.filter((file) => !isOfPage(file))];
  }
}
