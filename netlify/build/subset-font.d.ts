/** The part of subset-font that the build uses; the package has no types of its own. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    letters: string,
    options: {
      readonly targetFormat: 'woff2';
      readonly keepFeatures: readonly string[];
      readonly noHinting: boolean;
      readonly preserveNameIds: readonly number[];
    },
  ): Promise<Buffer>;
}
