import 'react';

declare module 'react' {
  /** Describe a form to agents in the browser. Source: webmachinelearning.github.io/webmcp, declarative API. */
  interface FormHTMLAttributes<T> {
    /** A name of letters, digits, `-` and `_`, unique in the page. */
    toolname?: string | undefined;
    /** What the form does, in a sentence. */
    tooldescription?: string | undefined;
  }
  interface FieldsetHTMLAttributes<T> {
    /** What the choice of its radio buttons is about; agents do not read the legend. */
    toolparamdescription?: string | undefined;
  }
}
