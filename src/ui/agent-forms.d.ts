import 'react';

declare module 'react' {
  /** How agents in the browser know a form as a tool. Source: webmachinelearning.github.io/webmcp, declarative API. */
  interface FormHTMLAttributes<T> {
    /** A name of letters, figures, `-` and `_`, of which each page has one. */
    toolname?: string | undefined;
    /** What the form does, in a sentence. */
    tooldescription?: string | undefined;
  }
  interface FieldsetHTMLAttributes<T> {
    /** What the choice of its radio buttons is about; agents do not read the legend. */
    toolparamdescription?: string | undefined;
  }
}
