/** The version that the window and the command line show; the same as in package.json (a test compares them). */
export const VERSION = '0.1.0';
