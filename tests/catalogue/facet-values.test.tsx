/** The values of a facet, as a panel offers them. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { FacetValues } from '../../src/catalogue/facet-values.tsx';

test('a chosen range of prices keeps its place among the others', () => {
  const markup = renderToStaticMarkup(
    <FacetValues
      facet="price"
      values={['-50', '50-80', '80-']}
      chosen={['80-', '50-80']}
      counts={() => 1}
      choose={() => undefined}
    />,
  );
  const ranges = [...markup.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(([, words]) => words);
  expect(ranges).toEqual(['Under $50', '$50 to $80', '$80 and over']);
});
