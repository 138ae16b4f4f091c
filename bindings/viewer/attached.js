/* Models that hang on nodes of another one, as the game attaches them: without their node 0. */
import { Matrix4 } from 'three';
import { Complaint } from './library.js';
import { take } from './model.js';

export class Attached {
  #matrix = new Matrix4();
  #matrices = null;

  /* `open` makes a Model of an item. */
  constructor(host, open) {
    this.host = host;
    this.open = open;
    this.list = []; // { part, item, model, node }
    host.attached = this;
  }

  attach(item, node) {
    const { host } = this;
    if (!host.object) throw host.objectComplaint;
    const model = this.open(item);
    try {
      if (model.nodes.length < 2) {
        throw new Complaint(item.name, 'nothing of it can be attached', { expected: 'nodes below node 0, which is left out', found: `${model.nodes.length} node` });
      }
      const part = host.object.attach(model.model, { piece: node });
      this.list.push({ part, item, model, node });
      host.root.add(model.root);
      model.root.matrix.identity(); // the host's root turns it
      host.changedObject();
      this.#number();
      this.follow();
    } catch (error) {
      model.close();
      throw error;
    }
  }

  /* Taking one off takes what hangs on it, too. */
  detach(part) {
    this.host.object.detach(part);
    const gone = this.list.filter((one) => this.host.object.firstPieceOfPart(one.part) < 0);
    this.list = this.list.filter((one) => !gone.includes(one));
    for (const { model } of gone) {
      model.root.removeFromParent();
      model.close();
    }
    this.host.changedObject();
    this.#number();
  }

  /* Which node of which part each piece of the object is. */
  #number() {
    const { object } = this.host;
    this.pieces = [];
    for (let piece = 0; piece < object.pieceCount; piece++) {
      const { part, node } = object.piece(piece);
      const one = this.list.find((other) => other.part === part);
      if (one) this.pieces.push([piece, one.model.nodes[node], one.node]);
    }
  }

  /* The node of the host that a piece belongs to: its own, or the one that its part hangs on. */
  nodeOf(piece) {
    return this.pieces?.find(([other]) => other === piece)?.[2] ?? piece;
  }

  /* Places the nodes as the object has them, by the root's movement beside it. */
  follow() {
    if (this.list.length === 0) return;
    const object = this.host.poseObject();
    if (this.#matrices?.length !== object.pieceCount * 16) this.#matrices = null;
    this.#matrices = object.matrices('object', this.#matrices);
    const [x, y, z] = this.host.rootMotion;
    for (const [piece, node] of this.pieces) {
      take(node.object.matrix, this.#matrices, piece * 16);
      node.object.matrix.premultiply(this.#matrix.makeTranslation(x, y, z));
    }
    for (const { model } of this.list) model.root.updateMatrixWorld(true);
  }

  showCell(view) {
    for (const { model, node } of this.list) {
      model.showCell(view);
      const off = this.host.nodes[node].hidden;
      for (const [own, part] of model.parts()) {
        part.shown &&= !off && own.index > 0;
        part.mesh.visible = part.shown;
        part.mesh.userData.owner = node;
      }
    }
  }

  *parts() {
    for (const { model, node } of this.list) {
      for (const [, part] of model.parts()) yield [this.host.nodes[node], part];
    }
  }

  close() {
    for (const { model } of this.list) model.close();
    this.list = [];
  }
}
